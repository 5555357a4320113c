import { Checkbox, NativeSelect } from "@mantine/core";
import type { RuleLanguage, ScreeningTopic, WorkflowSpec } from "../../api/wire.ts";
import { topics } from "../screening/Settings.tsx";
import { t } from "../words.ts";
import css from "./Workflows.module.css";

const from = ["possible", "strong"] as const;

/** The same version with a topic screened for or not; what is screened for counts. */
function withTopic(spec: WorkflowSpec, topic: ScreeningTopic, on: boolean, language: RuleLanguage): WorkflowSpec {
  const { topics: before, ...rest } = spec.screening ?? { topics: [] };
  const chosen = topics.filter((one) => (one === topic ? on : before.includes(one)));
  const counts = (check: string) =>
    check.startsWith("screening.") ? chosen.some((one) => check === `screening.${one}`) : spec.required.includes(check);
  return {
    ...spec,
    screening: chosen.length > 0 ? { ...rest, topics: chosen } : { topics: [] },
    required: language.checks.map(({ check }) => check).filter(counts),
  };
}

/** Which watchlists people are looked for on, what a reviewer sees of it, and whether people are screened again. */
export function Screening({
  spec,
  language,
  error,
  onChange,
}: {
  spec: WorkflowSpec;
  language: RuleLanguage | undefined;
  error: string | undefined;
  onChange: ((to: WorkflowSpec) => void) | null;
}) {
  const screening = spec.screening ?? { topics: [] };
  const fixed = !onChange || !language;
  return (
    <fieldset className={css.rules}>
      <legend>{t("asks.screening")}</legend>
      <p className={css.soft}>{t("asks.screening_text")}</p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <div className={css.choices}>
        {topics.map((topic) => (
          <Checkbox
            key={topic}
            label={t(`topic.${topic}`)}
            checked={screening.topics.includes(topic)}
            disabled={fixed}
            onChange={(event) => language && onChange?.(withTopic(spec, topic, event.currentTarget.checked, language))}
          />
        ))}
      </div>
      {screening.topics.length > 0 && (
        <div className={css.fields}>
          <NativeSelect
            label={t("asks.screening.from")}
            data={from.map((value) => ({ value, label: t(`asks.screening.from.${value}`) }))}
            value={screening.from ?? "possible"}
            disabled={fixed}
            onChange={(event) => {
              const chosen = from.find((one) => one === event.currentTarget.value) ?? "possible";
              onChange?.({ ...spec, screening: { ...screening, from: chosen } });
            }}
          />
          <Checkbox
            label={t("asks.screening.monitor")}
            checked={screening.monitor ?? false}
            disabled={fixed}
            onChange={(event) =>
              onChange?.({ ...spec, screening: { ...screening, monitor: event.currentTarget.checked } })
            }
          />
        </div>
      )}
    </fieldset>
  );
}

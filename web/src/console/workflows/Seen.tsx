import { Checkbox, NumberInput } from "@mantine/core";
import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { labelOf, t } from "../words.ts";
import css from "./Workflows.module.css";

const families = ["duplicate.", "blocklist.", "velocity."];

/** Whether a check looks at what was seen before. */
export const isSeen = (check: string): boolean => families.some((family) => check.startsWith(family));

const limits = [
  ["address_hour", 5],
  ["address_day", 20],
  ["document", 3],
  ["person", 3],
  ["reference", 5],
] as const;

/** The same version with a check that looks at other sessions required or not. */
function withSeen(spec: WorkflowSpec, check: string, on: boolean, language: RuleLanguage): WorkflowSpec {
  const required = language.checks
    .map((one) => one.check)
    .filter((one) => (one === check ? on : spec.required.includes(one)));
  const { again } = spec.seen ?? {};
  const counts = required.includes("velocity.counts");
  const seen = counts ? spec.seen : again && required.some(isSeen) ? { again } : {};
  return { ...spec, required, ...(seen ? { seen } : {}) };
}

/** Which other sessions people are compared with, whether the block list counts, and how many sessions are usual. */
export function Seen({
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
  const seen = spec.seen ?? {};
  const fixed = !onChange || !language;
  const looks = spec.required.some(isSeen);
  return (
    <fieldset className={css.rules}>
      <legend>{t("asks.seen")}</legend>
      <p className={css.soft}>{t("asks.seen_text")}</p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <div className={css.choices}>
        {(language?.checks ?? [])
          .filter(({ check }) => isSeen(check))
          .map(({ check }) => (
            <Checkbox
              key={check}
              label={labelOf("check", check)}
              checked={spec.required.includes(check)}
              disabled={fixed}
              onChange={(event) => language && onChange?.(withSeen(spec, check, event.currentTarget.checked, language))}
            />
          ))}
      </div>
      {looks && (
        <Checkbox
          label={t("asks.seen.again")}
          checked={seen.again ?? false}
          disabled={fixed}
          onChange={(event) => onChange?.({ ...spec, seen: { ...seen, again: event.currentTarget.checked } })}
        />
      )}
      {spec.required.includes("velocity.counts") && (
        <div className={css.fields}>
          {limits.map(([field, usual]) => (
            <NumberInput
              key={field}
              label={t(`asks.seen.${field}`)}
              min={1}
              max={10_000}
              value={seen[field] || usual}
              disabled={fixed}
              onChange={(value) => onChange?.({ ...spec, seen: { ...seen, [field]: Number(value) || usual } })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import type { RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { labelOf, t } from "../words.ts";
import css from "./Workflows.module.css";

const families = ["duplicate.", "blocklist.", "velocity.", "network."];

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
  const { again, gallery, ...velocity } = spec.seen ?? {};
  const seen: Settings = {
    ...(required.includes("velocity.counts") ? velocity : {}),
    ...(again && required.some(isSeen) ? { again } : {}),
    ...(gallery && required.includes(ofFaces) ? { gallery } : {}),
  };
  return { ...spec, required, ...(spec.seen ? { seen } : {}) };
}

type Settings = NonNullable<WorkflowSpec["seen"]>;

/** The check that takes a consent of its own. */
const ofFaces = "duplicate.face";

/** How many searches of strangers may find somebody: the value, and one search in how many. */
const targets = [
  ["1e-3", 1000],
  ["1e-2", 100],
  ["5e-2", 20],
  ["1e-1", 10],
] as const;

/** What applicants are told before their face is compared with others, how long it is kept, and how often a stranger may be found. */
function Gallery({ seen, onChange }: { seen: Settings; onChange: ((seen: Settings) => void) | null }) {
  const gallery = seen.gallery ?? {};
  const change = (to: Settings["gallery"]) => onChange?.({ ...seen, gallery: { ...gallery, ...to } });
  return (
    <>
      <p className={css.soft}>{t("asks.gallery")}</p>
      <Textarea
        label={t("asks.gallery.consent")}
        description={t("asks.gallery.consent_hint")}
        maxLength={2000}
        minRows={3}
        autosize
        value={gallery.consent ?? ""}
        disabled={!onChange}
        onChange={(event) => change({ consent: event.currentTarget.value })}
      />
      <div className={css.fields}>
        <NativeSelect
          label={t("asks.gallery.fpir")}
          value={gallery.fpir ?? "1e-2"}
          disabled={!onChange}
          data={targets.map(([value, n]) => ({ value, label: t("asks.gallery.one_in", { n }) }))}
          onChange={(event) => {
            const fpir = targets.find(([value]) => value === event.currentTarget.value)?.[0];
            if (fpir) change({ fpir });
          }}
        />
        <NumberInput
          label={t("asks.gallery.months")}
          min={1}
          max={36}
          value={gallery.months || 12}
          disabled={!onChange}
          onChange={(value) => change({ months: Number(value) || 12 })}
        />
        <TextInput
          label={t("asks.gallery.name")}
          maxLength={40}
          value={gallery.name ?? ""}
          disabled={!onChange}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
    </>
  );
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
      {spec.required.includes("duplicate.person") && (
        <Checkbox
          label={t("asks.seen.papers")}
          checked={seen.papers ?? false}
          disabled={fixed}
          onChange={(event) => onChange?.({ ...spec, seen: { ...seen, papers: event.currentTarget.checked } })}
        />
      )}
      {spec.required.includes(ofFaces) && (
        <Gallery seen={seen} onChange={onChange && !fixed ? (to) => onChange({ ...spec, seen: to }) : null} />
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

import { Checkbox, MultiSelect, NativeSelect, NumberInput } from "@mantine/core";
import type { ErrorRates, RuleLanguage, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { oneIn } from "../evidence/Ruler.tsx";
import { countryOf } from "../parts/country.ts";
import { labelOf, t } from "../words.ts";
import { Asks, Checks, ChipUse, Signals } from "../workflows/Asks.tsx";
import { Brand } from "../workflows/Brand.tsx";
import { Embedding } from "../workflows/Embedding.tsx";
import { Rules } from "../workflows/Rules.tsx";
import { Screening } from "../workflows/Screening.tsx";
import { Seen } from "../workflows/Seen.tsx";
import { WalletUse } from "../workflows/WalletUse.tsx";
import wide from "../workflows/Workflows.module.css";
import { faultAt } from "./issues.ts";
import { Rates } from "./Rates.tsx";
import { Span } from "./Span.tsx";
import { isAt, type Part, type Row } from "./sections.ts";

type Shown = {
  spec: WorkflowSpec;
  issues: readonly WorkflowIssue[];
  language: RuleLanguage | undefined;
  rates: ErrorRates | undefined;
  onChange: ((to: WorkflowSpec) => void) | null;
};

const levels = ["low", "substantial", "high"] as const;
const settlings = ["machine", "two_sources", "two_readers"] as const;

const whole = (value: string | number): number => (typeof value === "number" ? Math.round(value) : Number(value) || 0);

/** One row of the editor. */
export function Field({ row, ...shown }: { row: Row } & Shown) {
  const { spec, issues, language, rates, onChange } = shown;
  const wrong = faultAt(issues, (field) => isAt(field, row));
  const fixed = onChange === null;
  const set = (part: Partial<WorkflowSpec>) => onChange?.({ ...spec, ...part });
  switch (row.kind) {
    case "part":
      return <PartOf part={row.part} wrong={wrong} {...shown} />;
    case "flag":
      return (
        <Checkbox
          label={t(`spec.${row.field}`)}
          checked={spec[row.field] ?? false}
          onChange={(event) => set({ [row.field]: event.currentTarget.checked })}
          disabled={fixed}
          error={wrong}
        />
      );
    case "count":
      return (
        <NumberInput
          label={t(`spec.${row.field}`)}
          description={row.hint && t(row.hint)}
          value={spec[row.field] ?? 0}
          min={0}
          max={row.most}
          onChange={(value) => set({ [row.field]: whole(value) })}
          disabled={fixed}
          error={wrong}
          hideControls
        />
      );
    case "hours":
      return (
        <Span
          label={t(`spec.${row.field}`)}
          description={row.hint && t(row.hint)}
          hours={spec[row.field] ?? 0}
          error={wrong}
          onChange={fixed ? null : (hours) => set({ [row.field]: hours })}
        />
      );
    case "kept":
      return (
        <Span
          label={t(`spec.${row.field}`)}
          description={t(row.hint)}
          hours={spec.retention[row.field]}
          error={wrong}
          onChange={fixed ? null : (hours) => set({ retention: { ...spec.retention, [row.field]: hours } })}
        />
      );
    case "face":
      return (
        <div className={wide.threshold}>
          <NativeSelect
            label={t(`spec.${row.field}`)}
            data={(language?.face_fmr ?? [spec[row.field]]).map((value) => ({ value, label: oneIn(Number(value)) }))}
            value={spec[row.field]}
            onChange={(event) => set({ [row.field]: event.currentTarget.value })}
            disabled={fixed}
            error={wrong}
          />
          <Rates rates={rates?.face ?? null} fmr={spec[row.field]} />
        </div>
      );
    case "choice":
      return (
        <NativeSelect
          label={t(`spec.${row.field}`)}
          description={t(row.hint)}
          data={row.values.map((value) => ({ value, label: labelOf(row.field, value) }))}
          value={spec[row.field] ?? row.values[0] ?? ""}
          onChange={(event) => {
            const value = event.currentTarget.value;
            if (row.field === "assurance") set({ assurance: levels.find((one) => one === value) ?? "low" });
            else set({ settled_by: settlings.find((one) => one === value) ?? "machine" });
          }}
          disabled={fixed}
          error={wrong}
        />
      );
  }
}

/** A row with a component of its own. */
function PartOf({
  part,
  wrong,
  spec,
  issues,
  language,
  rates,
  onChange,
}: { part: Part; wrong: string | undefined } & Shown) {
  const fixed = onChange === null;
  const set = (change: Partial<WorkflowSpec>) => onChange?.({ ...spec, ...change });
  const kinds = language?.documents ?? spec.documents;
  switch (part) {
    case "asks":
      return <Asks spec={spec} language={language} rates={rates} error={wrong} onChange={onChange} />;
    case "chip":
      return <ChipUse spec={spec} language={language} error={wrong} onChange={onChange} />;
    case "wallet":
      return <WalletUse spec={spec} issues={issues} language={language} onChange={onChange} />;
    case "screening":
      return <Screening spec={spec} language={language} error={wrong} onChange={onChange} />;
    case "seen":
      return <Seen spec={spec} language={language} error={wrong} onChange={onChange} />;
    case "signals":
      return <Signals spec={spec} language={language} rates={rates} onChange={onChange} />;
    case "checks":
      return <Checks spec={spec} language={language} error={wrong} onChange={onChange} />;
    case "documents":
      return (
        <MultiSelect
          label={t("spec.documents")}
          description={t("spec.documents_hint")}
          data={kinds.map((value) => ({ value, label: labelOf("kind", value) }))}
          value={spec.documents}
          onChange={(chosen) => set({ documents: kinds.filter((one) => chosen.includes(one)) })}
          disabled={fixed}
          error={wrong}
          comboboxProps={{ withinPortal: false }}
        />
      );
    case "countries":
      return (
        <MultiSelect
          label={t("spec.countries")}
          description={t("spec.countries_hint")}
          data={(language?.countries ?? []).map(({ code }) => ({ value: code, label: countryOf(code) }))}
          value={spec.countries}
          onChange={(countries) => set({ countries })}
          searchable
          limit={50}
          disabled={fixed}
          error={wrong}
          nothingFoundMessage={t("filter.nothing")}
          comboboxProps={{ withinPortal: false }}
        />
      );
    case "rules":
      return (
        <Rules
          rules={spec.rules}
          issues={issues}
          language={language}
          onChange={fixed ? null : (rules) => set({ rules })}
        />
      );
    case "brand":
      return <Brand brand={spec.brand} issues={issues} onChange={fixed ? null : (brand) => set({ brand })} />;
    case "embedding":
      return (
        <Embedding spec={spec} issues={issues} onChange={fixed ? null : (embed_origins) => set({ embed_origins })} />
      );
  }
}

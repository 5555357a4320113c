import { Checkbox, MultiSelect, NativeSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FaceRates, Mode, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { oneIn } from "../evidence/Ruler.tsx";
import { labelOf, t } from "../words.ts";
import { Asks, Checks, ChipUse, Signals } from "./Asks.tsx";
import { Brand } from "./Brand.tsx";
import { Embedding, embedField } from "./Embedding.tsx";
import { workflowQueries } from "./queries.ts";
import { Rules } from "./Rules.tsx";
import { Screening } from "./Screening.tsx";
import { WalletUse } from "./WalletUse.tsx";
import css from "./Workflows.module.css";

type Change = ((to: WorkflowSpec) => void) | null;

const counts = ["minimum_age", "step_attempts", "session_attempts", "link_hours", "session_hours"] as const;
const spans = ["pictures_hours", "report_hours"] as const;
const faces = ["face_fmr", "face_refer_fmr"] as const;
const duties = [
  "face_optional",
  "live_capture",
  "another_document",
  "two_persons",
  "not_by_creator",
  "accept_specimens",
] as const;

const levels = ["low", "substantial", "high"] as const;
const settlings = ["machine", "two_sources", "two_readers"] as const;

const whole = (value: string | number): number => (typeof value === "number" ? Math.round(value) : Number(value) || 0);

/** What a version asks for and what it takes to pass; to be changed where it may be. */
export function Spec({
  spec,
  mode,
  issues,
  onChange,
}: {
  spec: WorkflowSpec;
  mode: Mode;
  issues: readonly WorkflowIssue[];
  onChange: Change;
}) {
  const { data: language } = useQuery(workflowQueries.language);
  const { data: rates } = useQuery(workflowQueries.rates);
  const set = (part: Partial<WorkflowSpec>) => onChange?.({ ...spec, ...part });
  const fixed = onChange === null;
  const kinds = language?.documents ?? spec.documents;
  const wrong = (field: string) =>
    issues.find((one) => one.field === field || one.field.startsWith(`${field}/`))?.message;
  const known = new Set<string>([
    "/steps",
    "/required",
    "/documents",
    "/countries",
    "/minimum_age",
    "/assurance",
    "/chip",
    "/screening",
    "/wallet",
    "/wallet_asks",
    "/wallet_instead",
    "/settled_by",
    embedField,
    ...faces.map((f) => `/${f}`),
    ...counts.map((f) => `/${f}`),
  ]);
  const rest = issues.filter(
    ({ field }) =>
      !field.startsWith("/rules/") &&
      !field.startsWith("/retention") &&
      !field.startsWith("/brand/") &&
      ![...known].some((one) => field === one || field.startsWith(`${one}/`)),
  );
  return (
    <div className={css.spec}>
      {rest.map((one) => (
        <p key={one.field + one.message} className={css.issue} role="alert">
          {one.message}
        </p>
      ))}
      <Asks spec={spec} language={language} rates={rates} error={wrong("/steps")} onChange={onChange} />
      <ChipUse spec={spec} language={language} error={wrong("/chip")} onChange={onChange} />
      <WalletUse
        spec={spec}
        language={language}
        error={wrong("/wallet") ?? wrong("/wallet_asks") ?? wrong("/wallet_instead")}
        onChange={onChange}
      />
      <Screening spec={spec} language={language} error={wrong("/screening")} onChange={onChange} />
      <Signals spec={spec} language={language} rates={rates} onChange={onChange} />
      <Checks spec={spec} language={language} error={wrong("/required")} onChange={onChange} />
      <div className={css.fields}>
        <MultiSelect
          label={t("spec.documents")}
          description={t("spec.documents_hint")}
          data={kinds.map((value) => ({ value, label: labelOf("kind", value) }))}
          value={spec.documents}
          onChange={(chosen) => set({ documents: kinds.filter((one) => chosen.includes(one)) })}
          disabled={fixed}
          error={wrong("/documents")}
          comboboxProps={{ withinPortal: false }}
        />
        <MultiSelect
          label={t("spec.countries")}
          description={t("spec.countries_hint")}
          data={(language?.countries ?? []).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
          value={spec.countries}
          onChange={(countries) => set({ countries })}
          searchable
          limit={50}
          disabled={fixed}
          error={wrong("/countries")}
          nothingFoundMessage={t("filter.nothing")}
          comboboxProps={{ withinPortal: false }}
        />
        {faces.map((field) => (
          <div key={field} className={css.threshold}>
            <NativeSelect
              label={t(`spec.${field}`)}
              data={(language?.face_fmr ?? [spec[field]]).map((value) => ({ value, label: oneIn(Number(value)) }))}
              value={spec[field]}
              onChange={(event) => set({ [field]: event.currentTarget.value })}
              disabled={fixed}
              error={wrong(`/${field}`)}
            />
            <Rates rates={rates?.face ?? null} fmr={spec[field]} />
          </div>
        ))}
        <NativeSelect
          label={t("spec.assurance")}
          description={t("spec.assurance_hint")}
          data={levels.map((value) => ({ value, label: labelOf("assurance", value) }))}
          value={spec.assurance ?? "low"}
          onChange={(event) => set({ assurance: levels.find((one) => one === event.currentTarget.value) ?? "low" })}
          disabled={fixed}
          error={wrong("/assurance")}
        />
        <NativeSelect
          label={t("spec.settled_by")}
          description={t("spec.settled_by_hint")}
          data={settlings.map((value) => ({ value, label: labelOf("settled_by", value) }))}
          value={spec.settled_by ?? "machine"}
          onChange={(event) =>
            set({ settled_by: settlings.find((one) => one === event.currentTarget.value) ?? "machine" })
          }
          disabled={fixed}
          error={wrong("/settled_by")}
        />
        {counts.map((field) => (
          <NumberInput
            key={field}
            label={t(`spec.${field}`)}
            value={spec[field]}
            min={0}
            max={10_000}
            onChange={(value) => set({ [field]: whole(value) })}
            disabled={fixed}
            error={wrong(`/${field}`)}
            hideControls
          />
        ))}
        {spans.map((field) => (
          <NumberInput
            key={field}
            label={t(`spec.${field}`)}
            description={t("spec.zero_hint")}
            value={spec.retention[field]}
            min={0}
            max={100_000}
            onChange={(value) => set({ retention: { ...spec.retention, [field]: whole(value) } })}
            disabled={fixed}
            error={wrong(`/retention/${field}`)}
            hideControls
          />
        ))}
        <Embedding spec={spec} issues={issues} onChange={fixed ? null : (embed_origins) => set({ embed_origins })} />
        {duties
          .filter((field) => field !== "accept_specimens" || mode === "test")
          .map((field) => (
            <Checkbox
              key={field}
              label={t(`spec.${field}`)}
              checked={spec[field] ?? false}
              onChange={(event) => set({ [field]: event.currentTarget.checked })}
              disabled={fixed}
            />
          ))}
      </div>
      <Rules
        rules={spec.rules}
        issues={issues}
        language={language}
        onChange={fixed ? null : (rules) => set({ rules })}
      />
      <Brand brand={spec.brand} issues={issues} onChange={fixed ? null : (brand) => set({ brand })} />
    </div>
  );
}

/** What a choice of the false match rate implies, and on whom that was measured. */
function Rates({ rates, fmr }: { rates: FaceRates | null; fmr: string }) {
  const point = rates?.points.find((one) => one.fmr === fmr);
  if (!rates || !point) return <p className={css.soft}>{t("spec.no_rates")}</p>;
  const percent = new Intl.NumberFormat(navigator.language, { style: "percent", maximumFractionDigits: 2 });
  return (
    <p className={css.soft} title={`${rates.model} · ${rates.date} · ${rates.command}`}>
      {t("spec.rates", {
        similarity: point.threshold.toFixed(3),
        strangers: point.false_matches,
        impostors: rates.impostors,
        refused: percent.format(point.fnmr),
        set: rates.data_set,
      })}{" "}
      {t(rates.on_people ? "spec.on_people" : "spec.on_generated")}
    </p>
  );
}

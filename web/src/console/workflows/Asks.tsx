import { Checkbox, Radio, Switch } from "@mantine/core";
import type { ErrorRates, RuleLanguage, WorkflowSpec } from "../../api/wire.ts";
import { labelOf, t } from "../words.ts";
import {
  asking,
  chipAlways,
  chipUseOf,
  chipUses,
  isChip,
  people,
  personOf,
  signals,
  withCheck,
  withChip,
  withStep,
} from "./asks.ts";
import { isSeen } from "./Seen.tsx";
import css from "./Workflows.module.css";
import { isWallet } from "./wallet.ts";

type Change = ((to: WorkflowSpec) => void) | null;

/** What the person is asked for, and what their selfie has to prove. */
export function Asks({
  spec,
  language,
  rates,
  error,
  onChange,
}: {
  spec: WorkflowSpec;
  language: RuleLanguage | undefined;
  rates: ErrorRates | undefined;
  error: string | undefined;
  onChange: Change;
}) {
  const person = personOf(spec);
  const fixed = !onChange || !language;
  return (
    <fieldset className={css.rules}>
      <legend>{t("asks.title")}</legend>
      <p className={css.soft}>
        {t("spec.steps", { steps: spec.steps.map((step) => labelOf("step", step)).join(" → ") })}
      </p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <Checkbox
        label={t("asks.back")}
        description={t("asks.back_hint")}
        checked={spec.steps.includes("document_back")}
        disabled={fixed || !language}
        onChange={(event) =>
          language && onChange?.(withStep(spec, "document_back", event.currentTarget.checked, language))
        }
      />
      <Radio.Group
        label={t("asks.person")}
        value={person}
        onChange={(value) => {
          const chosen = people.find((one) => one === value);
          if (language && chosen) onChange?.(asking(spec, chosen, language));
        }}
      >
        <div className={css.choices}>
          {people.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`asks.person.${one}`)}
              description={t(`asks.person.${one}_hint`)}
              disabled={fixed || !language}
            />
          ))}
        </div>
      </Radio.Group>
      {person === "picture" && <p className={css.note}>{t("asks.notice")}</p>}
      {person === "none" && <p className={css.note}>{t("asks.notice_document")}</p>}
      {person === "live" && rates && <Proof liveness={rates.liveness} />}
    </fieldset>
  );
}

/** How the liveness challenge errs, and on what that was measured. */
function Proof({ liveness }: { liveness: ErrorRates["liveness"] }) {
  const worst = liveness.attacks.find(({ attack }) => attack === liveness.worst) ?? liveness.attacks[0];
  return (
    <p className={css.soft} title={`${liveness.date} · ${liveness.command}`}>
      {t("asks.liveness_rates", {
        refused: liveness.refused.count,
        genuine: liveness.refused.of,
        attack: worst?.attack ?? "",
        accepted: worst?.succeed.count ?? 0,
        tried: worst?.succeed.of ?? 0,
        set: liveness.data_set,
      })}{" "}
      {t(liveness.on_people ? "spec.on_people" : "spec.on_generated")}
    </p>
  );
}

/** What is made of the chip of the document, and what it has to prove. */
export function ChipUse({
  spec,
  language,
  error,
  onChange,
}: {
  spec: WorkflowSpec;
  language: RuleLanguage | undefined;
  error: string | undefined;
  onChange: Change;
}) {
  const use = chipUseOf(spec);
  const checks = (language?.checks ?? []).filter(({ check }) => isChip(check));
  return (
    <fieldset className={css.rules}>
      <legend>{t("asks.chip")}</legend>
      <p className={css.soft}>{t("asks.chip_text")}</p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <Radio.Group
        aria-label={t("asks.chip")}
        value={use}
        onChange={(value) => {
          const chosen = chipUses.find((one) => one === value);
          if (language && chosen) onChange?.(withChip(spec, chosen, language));
        }}
      >
        <div className={css.choices}>
          {chipUses.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`asks.chip.${one}`)}
              description={t(`asks.chip.${one}_hint`)}
              disabled={!onChange || !language}
            />
          ))}
        </div>
      </Radio.Group>
      {use !== "off" && (
        <div className={css.fields}>
          {checks.map(({ check }) => (
            <Checkbox
              key={check}
              label={labelOf("check", check)}
              description={chipAlways.includes(check) ? t("asks.chip.always") : undefined}
              checked={spec.required.includes(check)}
              disabled={!onChange || chipAlways.includes(check)}
              onChange={(event) =>
                language && onChange?.(withCheck(spec, check, event.currentTarget.checked, language))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** The signals, each a switch with its measured rates. */
export function Signals({
  spec,
  language,
  rates,
  onChange,
}: {
  spec: WorkflowSpec;
  language: RuleLanguage | undefined;
  rates: ErrorRates | undefined;
  onChange: Change;
}) {
  const offered = signals(spec);
  if (offered.length === 0) return null;
  return (
    <fieldset className={css.rules}>
      <legend>{t("signals.title")}</legend>
      <p className={css.soft}>{t("signals.text")}</p>
      {offered.map((check) => (
        <Switch
          key={check}
          label={labelOf("check", check)}
          description={<Measured signal={rates?.signals.find((one) => one.check === check)} />}
          checked={spec.required.includes(check)}
          disabled={!onChange || !language}
          onChange={(event) => language && onChange?.(withCheck(spec, check, event.currentTarget.checked, language))}
        />
      ))}
    </fieldset>
  );
}

/** How a signal errs, and on what that was measured. */
export function Measured({ signal }: { signal: ErrorRates["signals"][number] | undefined }) {
  if (!signal) return null;
  const worst = signal.attacks.find(({ attack }) => attack === signal.worst);
  const sum = (part: "count" | "of") => signal.pictures.reduce((all, one) => all + one.doubted[part], 0);
  const sentences = [
    signal.pictures.length > 0 &&
      t("signals.pictures", {
        doubted: sum("count"),
        of: sum("of"),
        sets: signal.pictures.map((one) => one.data_set).join(", "),
      }),
    t("signals.acted", { doubted: signal.acted.count, of: signal.acted.of }),
    signal.unseen.of > 0 && t("signals.unseen", { unseen: signal.unseen.count, of: signal.unseen.of }),
    worst && t("signals.worst", { attack: worst.attack, passed: worst.succeed.count, tried: worst.succeed.of }),
    t("signals.unmeasured"),
    signal.check === "liveness.light" && t("signals.light"),
  ];
  return <span title={`${signal.date} · ${signal.command}`}>{sentences.filter(Boolean).join(" ")}</span>;
}

/** Which checks have to pass, and what becomes of one that could not run. */
export function Checks({
  spec,
  language,
  error,
  onChange,
}: {
  spec: WorkflowSpec;
  language: RuleLanguage | undefined;
  error: string | undefined;
  onChange: Change;
}) {
  // Those about the selfie go with the way in which it is asked for; signals have switches of their own.
  const offered = (language?.checks ?? []).filter(
    ({ check, selfie }) =>
      !selfie && !isChip(check) && !isWallet(check) && !check.startsWith("screening.") && !isSeen(check),
  );
  const ofSelfie = spec.required.filter((one) =>
    language?.checks.some(({ check, selfie, signal }) => selfie && !signal && check === one),
  );
  return (
    <fieldset className={css.rules}>
      <legend>{t("checks.required")}</legend>
      <p className={css.soft}>{t("checks.required_text")}</p>
      {error && (
        <p className={css.issue} role="alert">
          {error}
        </p>
      )}
      <div className={css.fields}>
        {offered.map(({ check, always }) => (
          <Checkbox
            key={check}
            label={labelOf("check", check)}
            description={always ? t("checks.always") : undefined}
            checked={spec.required.includes(check)}
            disabled={always || !onChange}
            onChange={(event) => language && onChange?.(withCheck(spec, check, event.currentTarget.checked, language))}
          />
        ))}
      </div>
      <p className={css.soft}>
        {ofSelfie.length > 0
          ? t("checks.of_selfie", { checks: ofSelfie.map((one) => labelOf("check", one)).join(" · ") })
          : t("checks.no_selfie")}
      </p>
    </fieldset>
  );
}

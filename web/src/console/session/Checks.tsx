import { useId, useState } from "react";
import type { Capture, Check, Finding, Reason } from "../../api/wire.ts";
import type { Look } from "../evidence/Evidence.tsx";
import { FaceRuler, oneIn, plain, ScoreRuler } from "../evidence/Ruler.tsx";
import { Panel } from "../parts/Panel.tsx";
import { useReasons } from "../parts/reasons.ts";
import { Said } from "../parts/Said.tsx";
import { State } from "../parts/State.tsx";
import { said } from "../said.ts";
import { checkLook, failingFirst } from "../states.ts";
import { labelOf, t } from "../words.ts";
import css from "./Checks.module.css";

/** Every question that was asked, failing first. What was not run is never shown like what has passed. */
export function Checks({
  checks,
  whereOf,
  onLook,
}: {
  checks: Check[];
  whereOf: (check: Check) => Capture | null;
  onLook: (look: Look) => void;
}) {
  const shown = failingFirst(checks.filter(({ lifecycle }) => lifecycle !== "superseded"));
  const isQuiet = (check: Check) => ["checks.pass", "checks.skipped"].includes(checkLook(check).word);
  const pressing = shown.filter((check) => !isQuiet(check));
  const quiet = shown.filter(isQuiet);
  const count = (word: string) => shown.filter((check) => checkLook(check).word === word).length;
  return (
    <Panel
      title={t("checks.title")}
      tools={
        shown.length > 0 && (
          <span className={css.summary}>
            {t("checks.summary", {
              passed: count("checks.pass"),
              failed: count("checks.fail"),
              unsure: count("checks.inconclusive"),
              not_run: count("checks.broken"),
            })}
          </span>
        )
      }
    >
      {shown.length === 0 && <p className={css.none}>{t("checks.none")}</p>}
      <ul className={css.list}>
        {pressing.map((check) => (
          <Row key={check.kind} check={check} where={whereOf(check)} onLook={onLook} />
        ))}
      </ul>
      {quiet.length > 0 && <Quiet checks={quiet} />}
    </Panel>
  );
}

/** What has passed or does not apply: one line that opens, so that it never pushes what matters off the screen. */
function Quiet({ checks }: { checks: Check[] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const passed = checks.filter((check) => checkLook(check).word === "checks.pass").length;
  return (
    <div className={css.quiet}>
      <button type="button" className={css.head} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className={css.question}>
          <State shape="pass">{t("checks.quiet", { passed, skipped: checks.length - passed })}</State>
        </span>
        <Arrow open={open} />
      </button>
      <ul id={id} className={css.list} hidden={!open}>
        {checks.map((check) => (
          <Row key={check.kind} check={check} />
        ))}
      </ul>
    </div>
  );
}

function Arrow({ open }: { open: boolean }) {
  return (
    <svg
      className={css.arrow}
      viewBox="0 0 12 12"
      width="10"
      height="10"
      aria-hidden="true"
      focusable="false"
      data-open={open}
    >
      <path
        d="M2 4l4 4 4-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Row({ check, where = null, onLook }: { check: Check; where?: Capture | null; onLook?: (look: Look) => void }) {
  const { shape, word } = checkLook(check);
  const [open, setOpen] = useState(false);
  const id = useId();
  const { reviewer } = useReasons();
  const first = check.finding?.reasons[0]?.code ?? declinedBy(check);
  return (
    <li className={css.row}>
      <button type="button" className={css.head} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span className={css.question}>
          <span className={css.name}>{labelOf("check", check.kind)}</span>
          {!open && first && <span className={css.why}>{reviewer(first)}</span>}
        </span>
        <span className={css.state}>
          {!check.required && <span className={css.optional}>{t("checks.optional")}</span>}
          <State shape={shape}>{t(word)}</State>
        </span>
        <Arrow open={open} />
      </button>
      <div id={id} className={css.body} hidden={!open}>
        {open && where && (
          <button type="button" className={css.show} onClick={() => onLook?.({ capture: where.id })}>
            {t(where.kind === "frames" ? "signal.show_frames" : "signal.show_page")}
          </button>
        )}
        {open && <Body check={check} />}
      </div>
    </li>
  );
}

/** What a measure is called; models name more of them than this console has words for. */
const measureOf = (name: string): string => {
  const label = labelOf("measure", name);
  return label === name ? name.replaceAll("_", " ") : label;
};

/** The reason of the catalogue for which a check was not run; none where it failed to run. */
const declinedBy = ({ broken_by }: Check): string => (broken_by?.startsWith("consent.") ? broken_by : "");

function Body({ check }: { check: Check }) {
  const { finding } = check;
  const { reviewer } = useReasons();
  const declined = declinedBy(check);
  const face = check.kind === "face.match";
  return (
    <>
      {check.lifecycle === "broken" && (
        <Fact name={t("checks.broken_by")}>
          {declined ? reviewer(declined) : `${t("checks.broken_text")} ${check.broken_by ?? ""}`}
        </Fact>
      )}
      {finding?.note && (
        <p className={css.note}>
          <Said text={finding.note} />
        </p>
      )}
      {finding && finding.reasons.length > 0 && (
        <ul className={css.reasons}>
          {finding.reasons.map((reason) => (
            <ReasonLine key={`${reason.code}-${reason.claim}-${reason.sources?.join()}`} reason={reason} />
          ))}
        </ul>
      )}
      {finding &&
        (face && finding.score !== undefined ? (
          <FaceRuler finding={finding} />
        ) : (
          <ScoreRuler finding={finding} name={labelOf("check", check.kind)} />
        ))}
      <dl className={css.facts}>
        {finding?.score !== undefined && <Fact name={t("checks.score")}>{plain(finding.score)}</Fact>}
        {finding?.threshold !== undefined && <Fact name={t("checks.threshold")}>{plain(finding.threshold)}</Fact>}
        {finding?.error_rates && <Rates rates={finding.error_rates} />}
        {Object.entries(finding?.measures ?? {}).map(([name, value]) => (
          <Fact key={name} name={measureOf(name)}>
            {name.startsWith("fmr_at_") && value > 0 && value < 0.01
              ? oneIn(value)
              : value !== 0 && Math.abs(value) < 0.001
                ? value.toExponential(1)
                : plain(value)}
          </Fact>
        ))}
        {finding?.confirmed?.map((fact) => (
          <Fact key={fact.claim} name={labelOf("fact", fact.claim)}>
            {labelOf("confirmed", fact.by)}
          </Fact>
        ))}
        {finding?.models?.map((model) => (
          <Fact key={model.name} name={t("checks.model")}>
            {model.name} {model.version} {model.sha256 && <code title={model.sha256}>{model.sha256.slice(0, 12)}</code>}
          </Fact>
        ))}
        {check.duration_ns > 0 && (
          <Fact name={t("checks.duration")}>{`${Math.max(1, Math.round(check.duration_ns / 1e6))} ms`}</Fact>
        )}
        {check.input_digest && (
          <Fact name={t("checks.inputs")}>
            <code title={check.input_digest}>{check.input_digest.slice(0, 12)}</code>
          </Fact>
        )}
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ReasonLine({ reason }: { reason: Reason }) {
  const { name, reviewer, severity } = useReasons();
  const grave = severity(reason.code);
  return (
    <li>
      <strong>{name(reason.code)}</strong>: {reviewer(reason.code)}
      <span className={css.code}>
        <code>{reason.code}</code>
        {reason.claim && ` · ${labelOf("fact", reason.claim)}`}
        {reason.sources &&
          reason.sources.length > 0 &&
          ` ${t("checks.sources", { sources: reason.sources.map((source) => labelOf("facts", source)).join(", ") })}`}
        {grave && ` · ${labelOf("severity", grave)}`}
      </span>
    </li>
  );
}

const rateNames = ["fmr", "fnmr", "apcer", "bpcer"] as const;

function Rates({ rates }: { rates: NonNullable<Finding["error_rates"]> }) {
  return (
    <>
      {rateNames.map((name) => {
        const rate = rates[name];
        if (rate === undefined) return null;
        return (
          <Fact key={name} name={t(`checks.${name}`)}>
            {rate > 0 && rate < 0.01 ? oneIn(rate) : `${plain(rate * 100)} %`}
          </Fact>
        );
      })}
      <Fact
        name={t("checks.rates")}
      >{`${t("checks.rates_on", { set: rates.data_set })}, ${t(rates.on_people ? "checks.rates_people" : "checks.rates_synthetic")}${rates.note ? `. ${said(rates.note)}` : ""}`}</Fact>
    </>
  );
}

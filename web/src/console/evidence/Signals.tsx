import type { Finding } from "../../api/wire.ts";
import { useReasons } from "../parts/reasons.ts";
import { State } from "../parts/State.tsx";
import { labelOf, t } from "../words.ts";
import { plain } from "./Ruler.tsx";
import css from "./Signals.module.css";
import type { Signal } from "./signals.ts";

/** Which signals a capture shows, where they are marked, and how often each errs. Reviewers alone are told. */
export function Signals({ signals }: { signals: readonly Signal[] }) {
  const { reviewer } = useReasons();
  if (signals.length === 0) return null;
  return (
    <ul className={css.signals} aria-label={t("signal.title")}>
      {signals.map(({ check, finding, places }) => (
        <li key={check.kind} className={css.signal}>
          <span className={css.name}>
            <State shape={check.required ? "refer" : "unsure"}>{labelOf("check", check.kind)}</State>
            {!check.required && <span className={css.soft}>{t("checks.optional")}</span>}
          </span>
          <p>{finding.reasons.map(({ code }) => reviewer(code)).join(" ")}</p>
          <p className={css.soft}>
            {marked(places)} {ratesText(check.kind, finding)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function marked(places: Signal["places"]): string {
  const frames = places.filter(({ frame }) => frame !== undefined).length;
  if (frames > 0) return t("signal.frames", { n: frames });
  return t("signal.regions", { regions: places.map(({ what }) => regionOf(what)).join(", ") });
}

/** A region of a page in words: a part of it, or the fact that is printed there. */
export function regionOf(what: string | undefined): string {
  const part = labelOf("region", what ?? "");
  return part === what ? labelOf("fact", part) : part;
}

const percent = (rate: number): string => `${plain(Math.round(rate * 1000) / 10)} %`;

/** How often a signal refuses what is genuine and misses an attack, in words. What was not measured is said to be so. */
export function ratesText(kind: string, finding: Finding): string {
  const { measures, error_rates: rates } = finding;
  const ceiling = measures?.ceiling;
  const above = measures?.genuine_above_ceiling;
  if (kind === "face.match" && ceiling !== undefined && above !== undefined)
    return t("signal.ceiling", { ceiling: plain(ceiling), above: percent(above), set: rates?.data_set ?? "–" });
  if (rates?.bpcer === undefined) return t("signal.unmeasured");
  const missed =
    rates.apcer === undefined ? t("signal.missed_unknown") : t("signal.missed", { of: percent(rates.apcer) });
  return [
    t("signal.genuine", { of: percent(rates.bpcer) }),
    missed,
    t(rates.on_people ? "signal.on_people" : "signal.on_generated", { set: rates.data_set }),
  ].join(" ");
}

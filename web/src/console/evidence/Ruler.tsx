import type { Finding } from "../../api/wire.ts";
import { t, words } from "../words.ts";
import css from "./Ruler.module.css";

const number = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 3 });
export const plain = (value: number): string => number.format(value);

/** A rate as people say it: 1 : 10,000. */
export const oneIn = (rate: number): string => t("ruler.fmr", { n: Math.round(1 / rate) });

const decades = [1, 2, 3, 4, 5] as const;
/** What the calibration can still tell apart. */
const rarest = 1e-5;
const from = 0.5;
const to = 5.6;

/** Returns the place of a false match rate on the face ruler, 0 to 1: one decade is one step, rarer is further right. */
export const placeOf = (rate: number): number =>
  Math.max(0, Math.min(1, (-Math.log10(Math.max(rate, 1e-9)) - from) / (to - from)));

const percent = (part: number) => `${(100 * part).toFixed(2)}%`;

/**
 * Similarity against the false match rate: a value at 1 : 10 000 is as alike as one in ten thousand pairs of
 * strangers. The refer band is between the rate of `threshold` and the one from which it passes.
 */
export function FaceRuler({ finding }: { finding: Finding }) {
  const score = finding.score ?? 0;
  const here = finding.measures?.fmr_at_score;
  const low = finding.error_rates?.fmr;
  const high = finding.measures?.fmr_at_pass ?? low;
  const band = low !== undefined && high !== undefined ? { from: placeOf(low), to: placeOf(high) } : null;
  const label = t("ruler.label", {
    name: t("faces.similarity"),
    value: plain(score),
    threshold: plain(finding.threshold ?? 0),
  });
  return (
    <div>
      <p className={css.reading}>
        <span>{t("faces.similarity")}</span>
        <strong className={css.value}>{plain(score)}</strong>
        {here !== undefined && (
          <span className={css.rate}>{here < rarest ? t("ruler.rarer", { rate: oneIn(rarest) }) : oneIn(here)}</span>
        )}
      </p>
      <div className={css.ruler} role="img" aria-label={label}>
        <div className={css.track}>
          {band && (
            <>
              <Zone zone="fail" from={0} to={band.from} />
              <Zone zone="refer" from={band.from} to={band.to} />
              <Zone zone="pass" from={band.to} to={1} />
            </>
          )}
          {here !== undefined && <span className={css.needle} style={{ left: percent(placeOf(here)) }} />}
        </div>
        <div className={css.ticks}>
          {decades.map((decade) => (
            <span key={decade} className={css.tick} style={{ left: percent(placeOf(10 ** -decade)) }}>
              {oneIn(10 ** -decade)}
            </span>
          ))}
        </div>
      </div>
      <p className={css.legend}>{t("ruler.fmr_title")}</p>
    </div>
  );
}

function Zone({ zone, from: left, to: right }: { zone: "fail" | "refer" | "pass"; from: number; to: number }) {
  return (
    <span className={css.zone} data-zone={zone} style={{ left: percent(left), width: percent(right - left) }}>
      <span className={css.zoneName}>{t(`ruler.${zone}_short`)}</span>
    </span>
  );
}

/** A word at an end of a ruler stays within it. */
const edgeOf = (place: number): "start" | "end" | undefined =>
  place < 0.12 ? "start" : place > 0.88 ? "end" : undefined;

/** A score on a plain scale from its least to its greatest sensible value, with the threshold and the refer band. */
export function ScoreRuler({ finding, name }: { finding: Finding; name: string }) {
  const { score, threshold, refer_below: refer } = finding;
  if (score === undefined || threshold === undefined) return null;
  const top = Math.max(1, score, threshold, refer ?? 0) * (Math.max(score, threshold) > 1 ? 1.15 : 1);
  const bottom = Math.min(0, score, threshold);
  const at = (value: number) => percent((value - bottom) / (top - bottom));
  return (
    <div
      className={css.ruler}
      role="img"
      aria-label={t("ruler.label", { name, value: plain(score), threshold: plain(threshold) })}
    >
      <div className={css.track}>
        {refer !== undefined && refer > threshold && (
          <span
            className={css.zone}
            data-zone="refer"
            style={{ left: at(threshold), width: `calc(${at(refer)} - ${at(threshold)})` }}
          />
        )}
        <span className={css.limit} style={{ left: at(threshold) }} />
        <span className={css.needle} style={{ left: at(score) }} />
      </div>
      <div className={css.ticks}>
        <span
          className={css.tick}
          data-edge={edgeOf((threshold - bottom) / (top - bottom))}
          style={{ left: at(threshold) }}
        >
          {t("ruler.threshold", { value: plain(threshold) })}
        </span>
      </div>
    </div>
  );
}

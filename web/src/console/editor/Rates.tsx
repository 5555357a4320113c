import type { FaceRates } from "../../api/wire.ts";
import { numeral, t, words } from "../words.ts";
import css from "../workflows/Workflows.module.css";

/** What a choice of the false match rate implies, and on whom that was measured. */
export function Rates({ rates, fmr }: { rates: FaceRates | null; fmr: string }) {
  const point = rates?.points.find((one) => one.fmr === fmr);
  if (!rates || !point) return <p className={css.soft}>{t("spec.no_rates")}</p>;
  const percent = new Intl.NumberFormat(words.locale, { style: "percent", maximumFractionDigits: 2 });
  return (
    <p className={css.soft} title={`${rates.model} · ${rates.date} · ${rates.command}`}>
      {t("spec.rates", {
        similarity: numeral(point.threshold, 3),
        strangers: point.false_matches,
        impostors: rates.impostors,
        refused: percent.format(point.fnmr),
        set: rates.data_set,
      })}{" "}
      {t(rates.on_people ? "spec.on_people" : "spec.on_generated")}
    </p>
  );
}

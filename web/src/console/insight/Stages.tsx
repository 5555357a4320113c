import { useQuery } from "@tanstack/react-query";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { labelOf, t } from "../words.ts";
import { Figure } from "./Chart.tsx";
import { count, lasting } from "./figures.ts";
import css from "./Insight.module.css";
import { type FiguresSearch, insightQueries } from "./queries.ts";

/** How long each step took: its median, and what nine in ten did not exceed. */
export function Stages({ search }: { search: FiguresSearch }) {
  const { data, error } = useQuery(insightQueries.stages(search));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return null;
  const most = Math.max(...data.stages.map((one) => one.p90_s), 1);
  // Seconds and days in one chart: lengths go by the logarithm, and every bar names its time.
  const length = (seconds: number) => `${(100 * Math.log1p(seconds)) / Math.log1p(most)}%`;
  return (
    <Figure
      title={t("stages.title")}
      text={t("stages.text", { n: count(data.sessions) })}
      file="steps.csv"
      cells={[
        [t("chart.what"), t("chart.sessions"), t("stages.median"), t("stages.slow")],
        ...data.stages.map((one) => [
          labelOf("stage", one.stage),
          one.sessions,
          one.sessions > 0 ? lasting(one.p50_s) : t("tile.none"),
          one.sessions > 0 ? lasting(one.p90_s) : t("tile.none"),
        ]),
      ]}
    >
      {data.sessions === 0 ? (
        <p className={css.note}>{t("stages.none")}</p>
      ) : (
        <div className={css.bars}>
          {data.stages
            .filter((one) => one.sessions > 0)
            .map((one) => (
              <div key={one.stage} className={css.bar}>
                <span className={css.barName}>{labelOf("stage", one.stage)}</span>
                <span className={css.spanTrack}>
                  <span className={css.slow} style={{ inlineSize: length(one.p90_s) }} />
                  <span className={css.median} style={{ inlineSize: length(one.p50_s) }} />
                </span>
                <span className={css.barCount}>
                  {lasting(one.p50_s)} <small>{lasting(one.p90_s)}</small>
                </span>
              </div>
            ))}
        </div>
      )}
    </Figure>
  );
}

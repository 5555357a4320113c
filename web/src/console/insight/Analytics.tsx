import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { FigureRow, Analytics as Figures } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Export } from "../parts/Export.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { labelOf, t } from "../words.ts";
import { Bars, Figure, Split } from "./Chart.tsx";
import { Compared } from "./Compared.tsx";
import { type Bar, listOf, rowOf, spanBefore } from "./drill.ts";
import { groups, linesOf, part } from "./figures.ts";
import css from "./Insight.module.css";
import { exportFigures, type FiguresSearch, insightQueries } from "./queries.ts";
import { Range } from "./Range.tsx";
import { Automatic, Outcomes } from "./Series.tsx";
import { Stages } from "./Stages.tsx";

/** What happened over time and against the span before, what sessions have in common, and where people went away. */
export function Analytics() {
  const search = useSearch({ from: "/console/analytics" });
  const { data, error } = useQuery({ ...insightQueries.figures(search), placeholderData: keepPreviousData });
  const { data: past } = useQuery(insightQueries.figures(spanBefore(search)));
  return (
    <Page
      title={t("analytics.title")}
      lead={t("analytics.text")}
      actions={<Export name="figures" rows={data && linesOf(data)} get={(format) => exportFigures(search, format)} />}
    >
      <Range at="/console/analytics" search={search} data={data} />
      <ErrorMessage error={error} />
      {data?.total.created === 0 && <Empty title={t("figures.empty.title")} text={t("figures.empty.text")} />}
      {data && data.total.created > 0 && (
        <div className={css.charts}>
          <Outcomes search={search} data={data} />
          <Automatic search={search} data={data} />
          {past && <Compared search={search} now={data} past={past} />}
          <Stages search={search} />
          <Groups search={search} data={data} />
        </div>
      )}
    </Page>
  );
}

const all = (rows: readonly { row: FigureRow }[]): number => rows.reduce((sum, { row }) => sum + row.counts.created, 0);

/** How many of all came from there, and how many of those were decided without a person. */
const sourceText = (counts: FigureRow["counts"], of: number): string =>
  t("by.automatic_short", { share: part(counts.created, of), automatic: part(counts.automatic, counts.submitted) });

function Groups({ search, data }: { search: FiguresSearch; data: Figures }) {
  const base = listOf(search);
  const left = data.left_at.map(({ step, sessions }) => ({
    name: step ? labelOf("left", step) : t("chart.unknown"),
    n: sessions,
    of: data.total.opened,
    to: { ...base, left: step || "unknown" },
  }));
  return (
    <>
      {groups.map(({ key, word, text, name }) => {
        const rows = data[key].map((row) => ({ name: row.key ? name(row.key) : t("chart.unknown"), row }));
        const to = (of: string, bar: Bar) => ({ ...base, ...rowOf(key, of), ...bar });
        return (
          <Figure
            key={key}
            title={t(word)}
            text={text && t(text)}
            file={`${key}.csv`}
            cells={[
              [
                t("chart.what"),
                t("chart.sessions"),
                t("by.approved"),
                t("by.declined"),
                t("by.waiting"),
                t("by.automatic"),
                t("by.rate"),
                ...(key === "sources" ? [t("by.share"), t("by.automatic_rate")] : []),
              ],
              ...rows.map(({ name: called, row: { key: of, counts } }) => [
                called,
                { n: counts.created, to: to(of, {}) },
                { n: counts.approved, to: to(of, { verdict: "approved" }) },
                { n: counts.declined, to: to(of, { verdict: "declined" }) },
                { n: counts.waiting, to: to(of, { verdict: "in_review" }) },
                { n: counts.automatic, to: to(of, { automatic: true }) },
                part(counts.approved, counts.decided),
                ...(key === "sources"
                  ? [part(counts.created, all(rows)), part(counts.automatic, counts.submitted)]
                  : []),
              ]),
            ]}
          >
            <Split
              rows={rows}
              say={key === "sources" ? (counts) => sourceText(counts, all(rows)) : undefined}
              to={to}
            />
          </Figure>
        );
      })}
      <Figure
        title={t("left.title")}
        text={t("left.text")}
        file="left.csv"
        cells={[
          [t("chart.what"), t("chart.sessions"), t("chart.part")],
          ...left.map(({ name, n, of, to }) => [name, { n, to }, part(n, of)]),
        ]}
      >
        {data.total.left > 0 ? <Bars rows={left} /> : <p className={css.note}>{t("left.none")}</p>}
      </Figure>
    </>
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { FigureRow, Analytics as Figures } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { labelOf, t } from "../words.ts";
import { Bars, Figure, Split } from "./Chart.tsx";
import { groups, part } from "./figures.ts";
import css from "./Insight.module.css";
import { insightQueries } from "./queries.ts";
import { Range } from "./Range.tsx";

/** The same sessions, told apart by what they have in common; and where people went away. */
export function Analytics() {
  const search = useSearch({ from: "/console/analytics" });
  const { data, error } = useQuery({ ...insightQueries.figures(search), placeholderData: keepPreviousData });
  return (
    <Page title={t("analytics.title")} lead={t("analytics.text")}>
      <Range at="/console/analytics" search={search} data={data} />
      <ErrorMessage error={error} />
      {data?.total.created === 0 && <Empty title={t("figures.empty.title")} text={t("figures.empty.text")} />}
      {data && data.total.created > 0 && <Groups data={data} />}
    </Page>
  );
}

const all = (rows: readonly { row: FigureRow }[]): number => rows.reduce((sum, { row }) => sum + row.counts.created, 0);

/** How many of all came from there, and how many of those were decided without a person. */
const sourceText = (counts: FigureRow["counts"], of: number): string =>
  t("by.automatic_short", { share: part(counts.created, of), automatic: part(counts.automatic, counts.submitted) });

function Groups({ data }: { data: Figures }) {
  const left = data.left_at.map(({ step, sessions }) => ({
    name: step ? labelOf("left", step) : t("chart.unknown"),
    n: sessions,
    of: data.total.opened,
  }));
  return (
    <div className={css.charts}>
      {groups.map(({ key, word, text, name }) => {
        const rows = data[key].map((row) => ({ name: row.key ? name(row.key) : t("chart.unknown"), row }));
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
              ...rows.map(({ name: called, row: { counts } }) => [
                called,
                counts.created,
                counts.approved,
                counts.declined,
                counts.waiting,
                counts.automatic,
                part(counts.approved, counts.decided),
                ...(key === "sources"
                  ? [part(counts.created, all(rows)), part(counts.automatic, counts.submitted)]
                  : []),
              ]),
            ]}
          >
            <Split rows={rows} say={key === "sources" ? (counts) => sourceText(counts, all(rows)) : undefined} />
          </Figure>
        );
      })}
      <Figure
        title={t("left.title")}
        text={t("left.text")}
        file="left.csv"
        cells={[
          [t("chart.what"), t("chart.sessions"), t("chart.part")],
          ...left.map(({ name, n, of }) => [name, n, part(n, of)]),
        ]}
      >
        {data.total.left > 0 ? <Bars rows={left} /> : <p className={css.note}>{t("left.none")}</p>}
      </Figure>
    </div>
  );
}

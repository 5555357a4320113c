import type { Analytics } from "../../api/wire.ts";
import { t } from "../words.ts";
import { Course, Figure } from "./Chart.tsx";
import { type Bar, listOf, unitOf } from "./drill.ts";
import { deciders, fates } from "./figures.ts";
import css from "./Insight.module.css";
import { type FiguresSearch, spanOf } from "./queries.ts";

/** What became of the sessions of each day, week or month; each part of a column leads to its sessions. */
export function Outcomes({ search, data }: { search: FiguresSearch; data: Analytics }) {
  return <Series search={search} data={data} title={t(`course.title.${data.unit}`)} file="course.csv" slices={fates} />;
}

/** Who decided the sessions of each day, week or month. */
export function Automatic({ search, data }: { search: FiguresSearch; data: Analytics }) {
  return (
    <Series
      search={search}
      data={data}
      title={t(`automatic.title.${data.unit}`)}
      text={t("automatic.text")}
      file="automatic.csv"
      slices={deciders}
    />
  );
}

function Series({
  search,
  data,
  title,
  text = "",
  file,
  slices,
}: {
  search: FiguresSearch;
  data: Analytics;
  title: string;
  text?: string;
  file: string;
  slices: typeof fates | typeof deciders;
}) {
  const to = (key: string, bar: Bar) => ({ ...listOf(search), ...unitOf(data.unit, key, spanOf(search)), ...bar });
  return (
    <div className={css.whole}>
      <Figure
        title={title}
        text={text}
        file={file}
        cells={[
          [t("course.day"), t("funnel.created"), ...slices.map(({ word }) => word)],
          ...data.course.map(({ key, counts }) => [
            key,
            { n: counts.created, to: to(key, {}) },
            ...slices.map(({ of, bar }) => ({ n: of(counts), to: to(key, bar) })),
          ]),
        ]}
      >
        <Course rows={data.course} slices={slices} to={to} />
      </Figure>
    </div>
  );
}

import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Analytics } from "../../api/wire.ts";
import { StoppedEndpoints } from "../developers/Notice.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { queries } from "../queries.ts";
import { ago, t } from "../words.ts";
import { Bars, Course, Figure } from "./Chart.tsx";
import { count, fates, lasting, part } from "./figures.ts";
import css from "./Insight.module.css";
import { insightQueries } from "./queries.ts";
import { Range } from "./Range.tsx";

/** How it goes: how far people came, what became of them, how long they waited. */
export function Overview() {
  const search = useSearch({ from: "/console/" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery({ ...insightQueries.figures(search), placeholderData: keepPreviousData });
  return (
    <Page title={t("overview.title")}>
      {me.may.includes("webhooks.read") && <StoppedEndpoints />}
      <Range at="/console" search={search} data={data} />
      <ErrorMessage error={error} />
      {data && <Tiles data={data} />}
      {data &&
        (data.total.created > 0 ? (
          <Charts data={data} />
        ) : (
          <Empty title={t("figures.empty.title")} text={t("figures.empty.text")} />
        ))}
    </Page>
  );
}

function Tile({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span>{children}</span>
      </dd>
    </div>
  );
}

function Tiles({ data: { total, queue, mode, ...data } }: { data: Analytics }) {
  const decided = t("tile.of_decided", { n: count(total.decided) });
  const oldest = queue.oldest ? ago(queue.oldest) : "";
  return (
    <dl className={css.tiles}>
      <Tile name={t("tile.made")} value={count(total.created)} />
      <Tile name={t("tile.approval")} value={part(total.approved, total.decided)}>
        {decided}
      </Tile>
      <Tile name={t("tile.automatic")} value={part(total.automatic, total.decided)}>
        {decided}
      </Tile>
      <Tile name={t("tile.wait")} value={total.decided > 0 ? lasting(data.wait_p50_s) : t("tile.none")}>
        {total.decided > 0 && t("tile.wait_95", { time: lasting(data.wait_p95_s) })}
      </Tile>
      <Tile name={t("tile.queue")} value={count(queue.waiting)}>
        {queue.waiting === 0 && t("tile.queue_none")}
        {queue.waiting > 0 && (
          <Link to="/console/cases" search={mode === "live" ? { mode } : {}}>
            {queue.late > 0
              ? t("tile.queue_late", { n: count(queue.late), time: oldest })
              : t("tile.queue_since", { time: oldest })}
          </Link>
        )}
      </Tile>
    </dl>
  );
}

function Charts({ data }: { data: Analytics }) {
  const { name: nameOf } = useReasons();
  const { total } = data;
  const funnel = [
    { name: t("funnel.created"), n: total.created, of: total.created },
    { name: t("funnel.opened"), n: total.opened, of: total.created },
    { name: t("funnel.submitted"), n: total.submitted, of: total.created },
    { name: t("funnel.decided"), n: total.decided, of: total.created },
  ];
  const reasons = data.reasons.map(({ code, sessions }) => ({
    name: nameOf(code),
    n: sessions,
    of: total.submitted,
  }));
  const head = [t("chart.what"), t("chart.sessions"), t("chart.part")];
  const cells = (rows: typeof funnel) => [head, ...rows.map(({ name, n, of }) => [name, n, part(n, of)])];
  return (
    <div className={css.charts}>
      <Figure title={t("funnel.title")} cells={cells(funnel)} file="funnel.csv">
        <Bars rows={funnel} />
      </Figure>
      <Figure title={t("reasons.title")} cells={cells(reasons)} file="reasons.csv">
        {reasons.length > 0 ? <Bars rows={reasons} /> : <p className={css.note}>{t("reasons.none")}</p>}
      </Figure>
      <div className={css.whole}>
        <Figure
          title={t(`course.title.${data.unit}`)}
          file="course.csv"
          cells={[
            [t("course.day"), t("funnel.created"), ...fates.map(({ word }) => word)],
            ...data.course.map(({ key, counts }) => [key, counts.created, ...fates.map(({ of }) => of(counts))]),
          ]}
        >
          <Course rows={data.course} />
        </Figure>
      </div>
    </div>
  );
}

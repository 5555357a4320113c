import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Analytics, FigureCounts } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { queries } from "../queries.ts";
import { Attention } from "../start/Attention.tsx";
import { FirstSteps } from "../start/Start.tsx";
import { useFacts } from "../start/useFacts.ts";
import { ago, t } from "../words.ts";
import { Bars, Figure } from "./Chart.tsx";
import { type Listed, listOf, spanBefore } from "./drill.ts";
import { changeOf, count, lasting, part } from "./figures.ts";
import css from "./Insight.module.css";
import { type FiguresSearch, insightQueries, spanOf } from "./queries.ts";
import { Range } from "./Range.tsx";
import { Outcomes } from "./Series.tsx";

/** How it goes: how far people came, what became of them, how long they waited. */
export function Overview() {
  const search = useSearch({ from: "/console/" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery({ ...insightQueries.figures(search), placeholderData: keepPreviousData });
  const { data: past } = useQuery(insightQueries.figures(spanBefore(search)));
  const { facts, begun, settled } = useFacts(me, data);
  return (
    <Page title={t("overview.title")}>
      {begun && <FirstSteps facts={facts} />}
      {begun && <Attention facts={facts} settled={settled} />}
      <Range at="/console" search={search} data={data} />
      <ErrorMessage error={error} />
      {data && <Tiles search={search} data={data} past={past} />}
      {data &&
        (data.total.created > 0 ? (
          <Charts search={search} data={data} />
        ) : (
          <Empty title={t("figures.empty.title")} text={t("figures.empty.text")} />
        ))}
    </Page>
  );
}

function Tile({
  name,
  value,
  to,
  children,
}: {
  name: string;
  value: string;
  to?: Listed | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd>
        <strong>
          {to ? (
            <Link to="/console/sessions" search={to} aria-label={t("tile.open", { name, value })}>
              {value}
            </Link>
          ) : (
            value
          )}
        </strong>
        {children}
      </dd>
    </div>
  );
}

/** How a rate or a time changed against the span before; nothing where there is none to compare with. */
function useChanges(search: FiguresSearch, data: Analytics, past: Analytics | undefined) {
  const { from, to } = spanOf(search);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  const rate = (n: number, of: number) => Math.round((100 * n) / of);
  const rates = (of: (one: FigureCounts) => number) =>
    past && past.total.decided > 0 && data.total.decided > 0
      ? changeOf(rate(of(data.total), data.total.decided), rate(of(past.total), past.total.decided), days, {
          more: "compare.points_more",
          less: "compare.points_less",
        })
      : "";
  return {
    created: past
      ? changeOf(data.total.created, past.total.created, days, { more: "compare.more", less: "compare.less" })
      : "",
    approval: rates((one) => one.approved),
    automatic: rates((one) => one.automatic),
    wait:
      past && past.total.decided > 0 && data.total.decided > 0
        ? changeOf(data.wait_p50_s, past.wait_p50_s, days, { more: "compare.longer", less: "compare.shorter" }, lasting)
        : "",
  };
}

function Tiles({ search, data, past }: { search: FiguresSearch; data: Analytics; past: Analytics | undefined }) {
  const { total, queue, mode } = data;
  const decided = t("tile.of_decided", { n: count(total.decided) });
  const oldest = queue.oldest ? ago(queue.oldest) : "";
  const base = listOf(search);
  const change = useChanges(search, data, past);
  return (
    <dl className={css.tiles}>
      <Tile name={t("tile.made")} value={count(total.created)} to={base}>
        <span>{change.created}</span>
      </Tile>
      <Tile name={t("tile.approval")} value={part(total.approved, total.decided)} to={{ ...base, verdict: "approved" }}>
        <span>{decided}</span>
        <span>{change.approval}</span>
      </Tile>
      <Tile name={t("tile.automatic")} value={part(total.automatic, total.decided)} to={{ ...base, automatic: true }}>
        <span>{decided}</span>
        <span>{change.automatic}</span>
      </Tile>
      <Tile name={t("tile.wait")} value={total.decided > 0 ? lasting(data.wait_p50_s) : t("tile.none")}>
        <span>{total.decided > 0 && t("tile.wait_95", { time: lasting(data.wait_p95_s) })}</span>
        <span>{change.wait}</span>
      </Tile>
      <Tile name={t("tile.queue")} value={count(queue.waiting)}>
        <span>
          {queue.waiting === 0 && t("tile.queue_none")}
          {queue.waiting > 0 && (
            <Link
              to="/console/cases"
              search={{
                ...(mode === "live" ? { mode } : {}),
                tab: "all",
                ...(queue.late > 0 ? { overdue: true as const } : {}),
              }}
            >
              {queue.late > 0
                ? t("tile.queue_late", { n: count(queue.late), time: oldest })
                : t("tile.queue_since", { time: oldest })}
            </Link>
          )}
        </span>
      </Tile>
    </dl>
  );
}

function Charts({ search, data }: { search: FiguresSearch; data: Analytics }) {
  const { name: nameOf } = useReasons();
  const { total } = data;
  const base = listOf(search);
  const funnel: Row[] = [
    { name: t("funnel.created"), n: total.created, of: total.created, to: base },
    { name: t("funnel.opened"), n: total.opened, of: total.created, to: { ...base, reached: "opened" } },
    { name: t("funnel.submitted"), n: total.submitted, of: total.created, to: { ...base, reached: "submitted" } },
    { name: t("funnel.decided"), n: total.decided, of: total.created, to: { ...base, verdict: "decided" } },
  ];
  const reasons: Row[] = data.reasons.map(({ code, sessions }) => ({
    name: nameOf(code),
    n: sessions,
    of: total.submitted,
    to: { ...base, reason: code },
  }));
  const head = [t("chart.what"), t("chart.sessions"), t("chart.part")];
  const cells = (rows: Row[]) => [head, ...rows.map(({ name, n, of, to }) => [name, { n, to }, part(n, of)])];
  return (
    <div className={css.charts}>
      <Figure title={t("funnel.title")} cells={cells(funnel)} file="funnel.csv">
        <Bars rows={funnel} />
      </Figure>
      <Figure title={t("reasons.title")} cells={cells(reasons)} file="reasons.csv">
        {reasons.length > 0 ? <Bars rows={reasons} /> : <p className={css.note}>{t("reasons.none")}</p>}
      </Figure>
      <Outcomes search={search} data={data} />
    </div>
  );
}

type Row = { name: string; n: number; of: number; to: Listed };

import type { Analytics } from "../../api/wire.ts";
import { t } from "../words.ts";
import { Figure } from "./Chart.tsx";
import { listOf, spanBefore } from "./drill.ts";
import { absoluteDay, count, lasting, part } from "./figures.ts";
import css from "./Insight.module.css";
import { type FiguresSearch, spanOf } from "./queries.ts";

type Row = { name: string; now: string; past: string; change: string };

const rate = (n: number, of: number): number | null => (of > 0 ? Math.round((100 * n) / of) : null);

const signed = (n: number, say: (n: number) => string): string =>
  n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${say(Math.abs(n))}`;

/** The figures of a span beside those of the one before. */
function rowsOf(now: Analytics, past: Analytics): Row[] {
  const counted = (name: string, a: number, b: number): Row => ({
    name,
    now: count(a),
    past: count(b),
    change: signed(a - b, count),
  });
  const shared = (name: string, of: (one: Analytics["total"]) => [number, number]): Row => {
    const [a, b] = [rate(...of(now.total)), rate(...of(past.total))];
    return {
      name,
      now: part(...of(now.total)),
      past: part(...of(past.total)),
      change: a === null || b === null ? t("tile.none") : signed(a - b, (n) => t("compare.points", { n })),
    };
  };
  const waited = (of: Analytics) => (of.total.decided > 0 ? lasting(of.wait_p50_s) : t("tile.none"));
  return [
    counted(t("tile.made"), now.total.created, past.total.created),
    counted(t("funnel.submitted"), now.total.submitted, past.total.submitted),
    counted(t("by.approved"), now.total.approved, past.total.approved),
    counted(t("by.declined"), now.total.declined, past.total.declined),
    shared(t("tile.approval"), (one) => [one.approved, one.decided]),
    shared(t("tile.automatic"), (one) => [one.automatic, one.decided]),
    {
      name: t("tile.wait"),
      now: waited(now),
      past: waited(past),
      change:
        now.total.decided > 0 && past.total.decided > 0
          ? signed(now.wait_p50_s - past.wait_p50_s, lasting)
          : t("tile.none"),
    },
  ];
}

/** The comparison as a table: there is nothing in it that a chart would say better. */
export function Compared({ search, now, past }: { search: FiguresSearch; now: Analytics; past: Analytics }) {
  const span = spanOf(spanBefore(search));
  const rows = rowsOf(now, past);
  const columns = [
    t("compare.figure"),
    t("compare.now"),
    t("compare.then", { from: absoluteDay(span.from), to: absoluteDay(span.to) }),
    t("compare.change"),
  ];
  const to = { now: listOf(search), past: listOf(spanBefore(search)) };
  return (
    <Figure
      title={t("compare.title")}
      file="compared.csv"
      cells={[
        columns,
        ...rows.map((row, i) =>
          i === 0
            ? [row.name, { n: now.total.created, to: to.now }, { n: past.total.created, to: to.past }, row.change]
            : [row.name, row.now, row.past, row.change],
        ),
      ]}
    >
      <div className={css.compared}>
        {rows.map((row) => (
          <div key={row.name} className={css.comparison}>
            <span>{row.name}</span>
            <strong>{row.now}</strong>
            <span className={css.past}>{row.past}</span>
            <span className={css.past}>{row.change}</span>
          </div>
        ))}
      </div>
    </Figure>
  );
}

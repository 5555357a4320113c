import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, type ReactNode, useId, useState } from "react";
import type { FigureRow } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { downloadCSV } from "../parts/download.ts";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import type { Bar, Listed } from "./drill.ts";
import { count, csv, dayName, fates, part } from "./figures.ts";
import css from "./Insight.module.css";

/** A cell of a figure's table: a text, a number, or a number of sessions with the list that has them. */
type Cell = string | number | { n: number; to: Listed };
type Cells = readonly (readonly Cell[])[];

const plain = (one: Cell): string | number => (typeof one === "object" ? one.n : one);

/**
 * A chart with its figures as a table: screen readers always have the table, everybody else by a button. The first row of
 * the cells names the columns. Bars lead to their sessions with the mouse; the cells of the table do with the keyboard.
 */
export function Figure({
  title,
  text = "",
  cells,
  file,
  children,
}: {
  title: string;
  text?: string;
  cells: Cells;
  file: string;
  children: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const [head = [], ...rows] = cells;
  return (
    <section className={css.figure} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        <div className={css.acts}>
          <Button size="compact-sm" variant="subtle" onClick={() => setAsTable(!asTable)}>
            {asTable ? t("chart.as_chart") : t("chart.as_table")}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => downloadCSV(file, csv(cells.map((row) => row.map(plain))))}
          >
            {t("chart.csv")}
          </Button>
        </div>
      </header>
      {text && <p className={css.note}>{text}</p>}
      {!asTable && <div aria-hidden="true">{children}</div>}
      <div className={asTable ? undefined : "visually-hidden"}>
        <Table caption={title} columns={head.map((name) => String(plain(name)))}>
          {rows.map(([name = "", ...values]) => (
            <tr key={plain(name)} className={cell.row}>
              <th scope="row">{plain(name)}</th>
              {values.map((value, i) => (
                <td key={String(plain(head[i + 1] ?? ""))} data-label={String(plain(head[i + 1] ?? ""))}>
                  <Value value={value} reached={asTable} />
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}

/** A value of a table. While the table is there for screen readers alone, the tab key passes its links over: nobody would see where it is. */
function Value({ value, reached }: { value: Cell; reached: boolean }) {
  if (typeof value !== "object") return value;
  if (value.n === 0) return 0;
  return (
    <Link to="/console/sessions" search={value.to} tabIndex={reached ? 0 : -1} className={css.cellLink}>
      {count(value.n)}
    </Link>
  );
}

/** A part of a chart that leads to the sessions that it counts, with the mouse. The table has the same links for the keyboard. */
function Part({
  to,
  title,
  children,
  ...rest
}: { to: Listed | undefined; title: string; children?: ReactNode } & Look) {
  if (!to)
    return (
      <span title={title} {...rest}>
        {children}
      </span>
    );
  return (
    <Link to="/console/sessions" search={to} tabIndex={-1} title={title} {...rest}>
      {children}
    </Link>
  );
}

type Look = { className?: string | undefined; style?: CSSProperties | undefined; "data-fate"?: string | undefined };

const width = (n: number, most: number) => `${most > 0 ? (100 * n) / most : 0}%`;

/** Bars that are named and counted beside themselves. */
export function Bars({ rows }: { rows: readonly { name: string; n: number; of: number; to?: Listed | undefined }[] }) {
  const most = Math.max(...rows.map(({ n }) => n), 1);
  return (
    <div className={css.bars}>
      {rows.map(({ name, n, of, to }) => (
        <Part key={name} to={n > 0 ? to : undefined} title={t("chart.open", { name, n: count(n) })} className={css.bar}>
          <span className={css.barName}>{name}</span>
          <span className={css.track}>
            <span className={css.fill} style={{ inlineSize: width(n, most) }} />
          </span>
          <span className={css.barCount}>
            {count(n)} <small>{part(n, of)}</small>
          </span>
        </Part>
      ))}
    </div>
  );
}

/** One part of a column or a bar. */
type Slice = { key: string; shape: Shape; word: string; of: (c: FigureRow["counts"]) => number; bar: Bar };

/** What the colours stand for, with how many there are of each. */
function Legend({ rows, slices }: { rows: readonly FigureRow[]; slices: readonly Slice[] }) {
  return (
    <p className={css.legend}>
      {slices.map(({ key, shape, word, of }) => (
        <span key={key} className={css.legendItem}>
          <State shape={shape}>{word}</State> {count(rows.reduce((sum, row) => sum + of(row.counts), 0))}
        </span>
      ))}
    </p>
  );
}

/** A column for each day, week or month; its parts are what became of the sessions. */
export function Course({
  rows,
  slices = fates,
  to,
}: {
  rows: readonly FigureRow[];
  slices?: readonly Slice[];
  to: (key: string, bar: Bar) => Listed;
}) {
  const height = ({ counts }: FigureRow) => slices.reduce((sum, { of }) => sum + of(counts), 0);
  const most = Math.max(...rows.map(height), 1);
  const named = [0, Math.floor((rows.length - 1) / 2), rows.length - 1];
  return (
    <div>
      <Legend rows={rows} slices={slices} />
      <div className={css.course}>
        <span className={css.most}>{count(most)}</span>
        {rows.map((row) => (
          <span key={row.key} className={css.column}>
            {[...slices].reverse().map(({ key, word, of, bar }) => (
              <Part
                key={key}
                to={of(row.counts) > 0 ? to(row.key, bar) : undefined}
                title={`${dayName(row.key)}, ${word}: ${count(of(row.counts))}`}
                data-fate={key}
                style={{ blockSize: width(of(row.counts), most) }}
              />
            ))}
          </span>
        ))}
      </div>
      <p className={css.days}>
        {named
          .filter((at, i) => at >= 0 && named.indexOf(at) === i)
          .map((at) => (
            <span key={at}>{dayName(rows[at]?.key ?? "")}</span>
          ))}
      </p>
    </div>
  );
}

/** One row a group: its name, what became of its sessions as one bar, its count and its approval rate. */
export function Split({
  rows,
  say,
  to,
}: {
  rows: readonly { name: string; row: FigureRow }[];
  /** A line below the name. */
  say?: ((counts: FigureRow["counts"]) => string) | undefined;
  to: (key: string, bar: Bar) => Listed;
}) {
  const most = Math.max(...rows.map(({ row }) => row.counts.created), 1);
  return (
    <div>
      <Legend rows={rows.map(({ row }) => row)} slices={fates} />
      <div className={css.bars}>
        {rows.map(({ name, row }) => (
          <div key={name} className={css.bar}>
            <span className={css.barName}>
              {name}
              {say && <small>{say(row.counts)}</small>}
            </span>
            <span className={css.track}>
              {fates.map(({ key, word, of, bar }) => (
                <Part
                  key={key}
                  to={of(row.counts) > 0 ? to(row.key, bar) : undefined}
                  title={`${name}, ${word}: ${count(of(row.counts))}`}
                  data-fate={key}
                  style={{ inlineSize: width(of(row.counts), most) }}
                />
              ))}
            </span>
            <Part
              to={row.counts.created > 0 ? to(row.key, {}) : undefined}
              title={t("chart.open", { name, n: count(row.counts.created) })}
              className={css.barCount}
            >
              {count(row.counts.created)} <small>{part(row.counts.approved, row.counts.decided)}</small>
            </Part>
          </div>
        ))}
      </div>
    </div>
  );
}

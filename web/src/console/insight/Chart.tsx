import { Button } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import type { FigureRow } from "../../api/wire.ts";
import { downloadCSV } from "../parts/download.ts";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t } from "../words.ts";
import { count, csv, dayName, fates, part } from "./figures.ts";
import css from "./Insight.module.css";

type Cells = readonly (readonly (string | number)[])[];

/**
 * A chart with its figures as a table: screen readers always have the table, everybody else by a button. The first row of
 * the cells names the columns.
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
          <Button size="compact-sm" variant="subtle" onClick={() => downloadCSV(file, csv(cells))}>
            {t("chart.csv")}
          </Button>
        </div>
      </header>
      {text && <p className={css.note}>{text}</p>}
      {!asTable && <div aria-hidden="true">{children}</div>}
      <div className={asTable ? undefined : "visually-hidden"}>
        <Table caption={title} columns={head.map(String)}>
          {rows.map(([name = "", ...values]) => (
            <tr key={name} className={cell.row}>
              <th scope="row">{name}</th>
              {values.map((value, i) => (
                <td key={String(head[i + 1])} data-label={String(head[i + 1])}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}

const width = (n: number, most: number) => `${most > 0 ? (100 * n) / most : 0}%`;

/** Bars that are named and counted beside themselves. */
export function Bars({ rows }: { rows: readonly { name: string; n: number; of: number }[] }) {
  const most = Math.max(...rows.map(({ n }) => n), 1);
  return (
    <div className={css.bars}>
      {rows.map(({ name, n, of }) => (
        <div key={name} className={css.bar}>
          <span className={css.barName}>{name}</span>
          <span className={css.track}>
            <span className={css.fill} style={{ inlineSize: width(n, most) }} />
          </span>
          <span className={css.barCount}>
            {count(n)} <small>{part(n, of)}</small>
          </span>
        </div>
      ))}
    </div>
  );
}

/** What the colours stand for, with how many there are of each. */
function Legend({ rows }: { rows: readonly FigureRow[] }) {
  return (
    <p className={css.legend}>
      {fates.map(({ key, shape, word, of }) => (
        <span key={key} className={css.legendItem}>
          <State shape={shape}>{word}</State> {count(rows.reduce((sum, row) => sum + of(row.counts), 0))}
        </span>
      ))}
    </p>
  );
}

/** A column for each day, week or month; its parts are what became of the sessions. */
export function Course({ rows }: { rows: readonly FigureRow[] }) {
  const most = Math.max(...rows.map(({ counts }) => counts.created), 1);
  const named = [0, Math.floor((rows.length - 1) / 2), rows.length - 1];
  return (
    <div>
      <Legend rows={rows} />
      <div className={css.course}>
        <span className={css.most}>{count(most)}</span>
        {rows.map(({ key, counts }) => (
          <span key={key} className={css.column} title={`${dayName(key)}: ${count(counts.created)}`}>
            {[...fates].reverse().map((fate) => (
              <span key={fate.key} data-fate={fate.key} style={{ blockSize: width(fate.of(counts), most) }} />
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
}: {
  rows: readonly { name: string; row: FigureRow }[];
  /** A line below the name. */
  say?: ((counts: FigureRow["counts"]) => string) | undefined;
}) {
  const most = Math.max(...rows.map(({ row }) => row.counts.created), 1);
  return (
    <div>
      <Legend rows={rows.map(({ row }) => row)} />
      <div className={css.bars}>
        {rows.map(({ name, row }) => (
          <div key={name} className={css.bar}>
            <span className={css.barName}>
              {name}
              {say && <small>{say(row.counts)}</small>}
            </span>
            <span className={css.track}>
              {fates.map((fate) => (
                <span key={fate.key} data-fate={fate.key} style={{ inlineSize: width(fate.of(row.counts), most) }} />
              ))}
            </span>
            <span className={css.barCount}>
              {count(row.counts.created)} <small>{part(row.counts.approved, row.counts.decided)}</small>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

import type { ReactNode } from "react";
import css from "./Table.module.css";

/**
 * A table of the console: rows of 40 px, on a phone a card a row. The rows are the children: `<tr>` of the class `row`, whose
 * cells take their classes from the same stylesheet. A column with an empty name has no heading to be seen, and `acts` is
 * the name of a last one with buttons.
 */
export function Table({
  caption,
  columns,
  acts,
  children,
}: {
  caption: string;
  columns: readonly string[];
  acts?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={css.box}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        {columns.length > 0 && (
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {acts && (
                <th scope="col" data-end>
                  {acts}
                </th>
              )}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { t } from "../words.ts";
import css from "./Table.module.css";

/** Narrower than this, a card a row reads better than columns of a few letters. */
const narrow = 600;

/** How the rows are laid out: in wide columns, in columns whose words wrap, or as a card each. */
type Layout = "wide" | "tight" | "cards";

/** The widest layout that fits into the box, whatever language the columns are in. */
function useLayout(): [box: RefObject<HTMLDivElement | null>, layout: Layout] {
  const box = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<Layout>("wide");
  const needed = useRef({ wide: 0, tight: 0, cards: 0 }); // what the columns took when they did not fit
  useLayoutEffect(() => {
    const [element, table] = [box.current, box.current?.querySelector("table")];
    if (!element || !table || typeof ResizeObserver === "undefined") return;
    const measure = () => {
      const width = element.clientWidth;
      const now = element.hasAttribute("data-cards") ? "cards" : element.hasAttribute("data-tight") ? "tight" : "wide";
      if (table.offsetWidth > width) needed.current = { ...needed.current, [now]: table.offsetWidth };
      setLayout(
        width < narrow || width < needed.current.tight ? "cards" : width < needed.current.wide ? "tight" : "wide",
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return [box, layout];
}

const roleOf = (element: Element): string => {
  if (element.tagName === "TR") return "row";
  if (element.tagName === "TD") return "cell";
  if (element.tagName === "TH") return element.getAttribute("scope") === "row" ? "rowheader" : "columnheader";
  return "rowgroup";
};

/**
 * Says in words what a table is while its rows are laid out as cards. Safari takes the layout of an element for what it is, and cells
 * that are hidden because they are empty would move the others to a wrong column.
 */
function useRoles(box: RefObject<HTMLDivElement | null>, layout: Layout): void {
  useLayoutEffect(() => {
    const table = box.current?.querySelector("table");
    if (!table || layout !== "cards") return;
    const parts = () => table.querySelectorAll("thead, tbody, tr, th, td");
    const name = () => {
      table.setAttribute("role", "table");
      for (const part of parts()) {
        part.setAttribute("role", roleOf(part));
        if (part.tagName !== "TR") continue;
        let column = 1;
        for (const cell of part.querySelectorAll<HTMLTableCellElement>(":scope > *")) {
          cell.setAttribute("aria-colindex", String(column));
          column += cell.colSpan;
        }
      }
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(table, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      for (const part of [table, ...parts()]) {
        part.removeAttribute("role");
        part.removeAttribute("aria-colindex");
      }
    };
  }, [box, layout]);
}

/** A heading by which the rows can be put in order, and how they are now. */
export type Sortable = { name: string; order: "ascending" | "descending" | "none"; onSort: () => void };

function Heading({ of }: { of: string | Sortable }) {
  if (typeof of === "string") return <th scope="col">{of}</th>;
  return (
    <th scope="col" aria-sort={of.order} data-sorts>
      <button type="button" className={css.sort} onClick={of.onSort}>
        {of.name}
        <svg viewBox="0 0 8 12" aria-hidden="true" className={css.arrows}>
          <path d="M1 4.5 4 1l3 3.5" data-on={of.order === "ascending" || undefined} />
          <path d="M1 7.5 4 11l3-3.5" data-on={of.order === "descending" || undefined} />
        </svg>
      </button>
    </th>
  );
}

/**
 * A table of the console: rows of 40 px. Where the columns do not fit their words wrap; where that is not enough, a row is a card.
 * The rows are the children: `<tr>` of the class `row`, whose cells take their classes from the same stylesheet. A column with an
 * empty name has no heading to be seen, and `acts` is the name of a last one with buttons. Headings that sort can be seen above
 * cards, too, and the caption says by which the rows are in order.
 */
export function Table({
  caption,
  columns,
  acts,
  children,
}: {
  caption: string;
  columns: readonly (string | Sortable)[];
  acts?: string | undefined;
  children: ReactNode;
}) {
  const [box, layout] = useLayout();
  useRoles(box, layout);
  const sorted = columns.find((one) => typeof one !== "string" && one.order !== "none");
  return (
    <div
      ref={box}
      className={css.box}
      data-tight={layout === "tight" || undefined}
      data-cards={layout === "cards" || undefined}
    >
      <table className={css.table}>
        <caption className="visually-hidden">
          {typeof sorted === "object"
            ? t(`table.${sorted.order === "ascending" ? "up" : "down"}`, { caption, column: sorted.name })
            : caption}
        </caption>
        {columns.length > 0 && (
          <thead>
            <tr data-sort={t("table.sort")}>
              {columns.map((one) => (
                <Heading key={typeof one === "string" ? one : one.name} of={one} />
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

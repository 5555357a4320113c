import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import css from "./Table.module.css";

/** Narrower than this, a card a row reads better than columns of a few letters. */
const narrow = 600;

/** Whether the rows are cards: where the box is narrow, or the columns do not fit, in whatever language they are. */
function useCards(): [box: RefObject<HTMLDivElement | null>, cards: boolean] {
  const box = useRef<HTMLDivElement>(null);
  const [cards, setCards] = useState(false);
  const needed = useRef(0); // what the columns took when they did not fit
  useLayoutEffect(() => {
    const [element, table] = [box.current, box.current?.querySelector("table")];
    if (!element || !table || typeof ResizeObserver === "undefined") return;
    const measure = () => {
      const width = element.clientWidth;
      if (!element.hasAttribute("data-cards") && table.offsetWidth > width) needed.current = table.offsetWidth;
      setCards(width < narrow || width < needed.current);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return [box, cards];
}

/**
 * A table of the console: rows of 40 px; where the columns do not fit, a card a row. The rows are the children: `<tr>` of the class `row`, whose
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
  const [box, cards] = useCards();
  return (
    <div ref={box} className={css.box} data-cards={cards || undefined}>
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

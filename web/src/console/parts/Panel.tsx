import { type ReactNode, useId } from "react";
import css from "./Panel.module.css";

/** A part of the session page: a heading, its tools, and what it shows. */
export function Panel({
  title,
  tools,
  note,
  children,
}: {
  title: string;
  tools?: ReactNode;
  note?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        {tools}
      </header>
      {children}
      {note && <p className={css.note}>{note}</p>}
    </section>
  );
}

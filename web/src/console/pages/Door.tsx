import type { ReactNode } from "react";
import { useEffect } from "react";
import { Mark } from "../../ui/Mark.tsx";
import css from "./Door.module.css";

/** The frame of the two pages before the console: setup and sign-in. */
export function Door({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Bonafide`;
  }, [title]);
  return (
    <main className={css.door}>
      <div className={css.card}>
        <span className={css.mark}>
          <Mark size={36} />
        </span>
        <h1 className={css.title}>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}

import { Button } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { t } from "../words.ts";
import css from "./Page.module.css";

/** A page of the console: its heading, what can be done there, and what it holds. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title]);
  return (
    <div className={css.page}>
      <header className={css.header}>
        <h1 className={css.title}>{title}</h1>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {lead && <p className={css.lead}>{lead}</p>}
      {children}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** What would fill an empty page, and how. */
export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <h2 className={css.emptyTitle}>{title}</h2>
      <p className={css.emptyText}>{text}</p>
      {children}
    </div>
  );
}

/** From page to page of a list that knows no numbers of pages. */
export function Pager({
  first,
  next,
  words = { first: t("events.first"), next: t("events.more") },
}: {
  first: (() => void) | null;
  next: (() => void) | null;
  words?: { first: string; next: string };
}) {
  return (
    <div className={css.pager}>
      {first && (
        <Button variant="default" onClick={first}>
          {words.first}
        </Button>
      )}
      {next && (
        <Button variant="default" onClick={next}>
          {words.next}
        </Button>
      )}
    </div>
  );
}

/** What was just done, and how to take it back where that is possible. */
export type Deed = { text: string; undo?: () => void };

/** Says what was just done. */
export function Done({ deed }: { deed: Deed | null }) {
  return (
    <div role="status">
      {deed && (
        <p className={css.done}>
          {deed.text}
          {deed.undo && (
            <Button size="compact-sm" variant="default" onClick={deed.undo}>
              {t("team.undo")}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

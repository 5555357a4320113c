import { Modal } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { Mode } from "../../api/wire.ts";
import sessions from "../pages/Sessions.module.css";
import { t } from "../words.ts";
import css from "./Developers.module.css";

/** Whose data these pages show: it stands in the address. */
export function useMode(): Mode {
  const search = useSearch({ strict: false });
  return search.mode ?? "test";
}

/** A page of this part: its heading, what can be done there, and what it holds. */
export function Frame({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title]);
  return (
    <div className={sessions.page}>
      <header className={sessions.header}>
        <h1 className={css.title}>{title}</h1>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** What would fill an empty page, and how. */
export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={sessions.empty}>
      <h2 className={sessions.emptyTitle}>{title}</h2>
      <p className={sessions.emptyText}>{text}</p>
      {children}
    </div>
  );
}

/** A dialogue of this part. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("app.close") }} size="lg">
      {children}
    </Modal>
  );
}

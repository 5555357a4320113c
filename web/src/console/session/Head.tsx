import { CopyButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { SessionFile } from "../../api/wire.ts";
import { personOf } from "../evidence/person.ts";
import { countryOf } from "../parts/country.ts";
import { shortId } from "../parts/ids.ts";
import { keepMode } from "../parts/mode.ts";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import css from "./Head.module.css";

/** A link to the session that the person began, or came from, with another document; nothing where there is none. */
function Other({ id, word }: { id: string | null; word: "session.follows" | "session.followed_by" }) {
  if (!id) return null;
  return (
    <Link to="/console/sessions/$id" params={{ id }} className={css.other}>
      {t(word)}
    </Link>
  );
}

/** Whose session it is, in what state, and about which document. */
export function Head({ file, alive, crumbs }: { file: SessionFile; alive: boolean; crumbs: ReactNode }) {
  const { session } = file;
  const look = sessionLooks[session.state];
  const person = personOf(file);
  const name = person || session.external_reference || t("session.title");

  // The title of a tab is kept in the browser's history: it has the reference, never the name.
  const title = session.external_reference || t("session.title");
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title]);

  useEffect(() => keepMode(session.mode), [session.mode]);

  return (
    <header className={css.head}>
      <nav aria-label={t("app.breadcrumb")} className={css.crumbs}>
        {crumbs ?? (
          <Link to="/console/sessions" search={session.mode === "live" ? { mode: "live" } : {}}>
            {t("sessions.title")}
          </Link>
        )}
      </nav>
      <div className={css.who}>
        <h1 className={css.name}>{name}</h1>
        <State shape={look.shape} filled>
          {t(look.word)}
        </State>
      </div>
      <p className={css.facts}>
        {person && session.external_reference && <span className={css.reference}>{session.external_reference}</span>}
        {session.document_kind && (
          <span>{[labelOf("kind", session.document_kind), countryOf(session.country)].filter(Boolean).join(", ")}</span>
        )}
        <span>{t(session.mode === "test" ? "mode.test" : "mode.live")}</span>
        {session.persona && <span>{t("session.persona", { name: session.persona })}</span>}
        <Time iso={session.created_at} />
        <Other id={session.follows} word="session.follows" />
        <Other id={session.followed_by} word="session.followed_by" />
        <CopyButton value={session.id}>
          {({ copied, copy }) => (
            <button type="button" className={css.id} onClick={copy} title={`${t("app.copy")} ${session.id}`}>
              <span className="visually-hidden">{t("session.id")} </span>
              <code>{shortId(session.id)}</code>
              <span aria-live="polite">{copied ? ` ${t("app.copied")}` : ""}</span>
            </button>
          )}
        </CopyButton>
      </p>
      <span className={css.live} data-alive={alive} role="status">
        {t(alive ? "session.live" : "session.not_live")}
      </span>
    </header>
  );
}

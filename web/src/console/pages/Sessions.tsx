import { Button, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Mode, Session } from "../../api/wire.ts";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { sessionLooks, sessionStates } from "../states.ts";
import { t, worded } from "../words.ts";
import { NewSession } from "./NewSession.tsx";
import css from "./Sessions.module.css";
import { Wrong } from "./Wrong.tsx";

/** The list of sessions. What is filtered stands in the address, so that it can be sent. */
export function Sessions() {
  const search = useSearch({ from: "/console/sessions" });
  const navigate = useNavigate({ from: "/console/sessions" });
  const mode: Mode = search.mode ?? "test";
  const { data, error } = useQuery({ ...queries.sessions({ ...search, mode }), placeholderData: keepPreviousData });
  const [making, setMaking] = useState(false);
  const filtered = search.state !== undefined || search.q !== undefined;

  useEffect(() => {
    document.title = `${t("sessions.title")} · ${t("app.name")}`;
  }, []);

  return (
    <div className={css.page}>
      <header className={css.header}>
        <h1 className={css.title}>{t("sessions.title")}</h1>
        {mode === "test" && <Button onClick={() => setMaking(true)}>{t("sessions.new")}</Button>}
      </header>
      <div className={css.tools}>
        <Search
          key={search.q ?? ""}
          value={search.q ?? ""}
          onSearch={(q) => void navigate({ search: ({ after: _, q: __, ...rest }) => (q ? { ...rest, q } : rest) })}
        />
        <fieldset className={css.chips}>
          <legend className="visually-hidden">{t("sessions.filter")}</legend>
          {sessionStates.map((state) => {
            const on = search.state === state;
            const toggle = () =>
              void navigate({ search: ({ after: _, state: __, ...rest }) => (on ? rest : { ...rest, state }) });
            return (
              <button key={state} type="button" className={css.chip} aria-pressed={on} onClick={toggle}>
                <State shape={sessionLooks[state].shape}>{t(sessionLooks[state].word)}</State>
                <span className={css.chipCount}>{data?.counts[state] ?? 0}</span>
              </button>
            );
          })}
          {filtered && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => void navigate({ search: mode === "live" ? { mode } : {} })}
            >
              {t("sessions.clear")}
            </Button>
          )}
        </fieldset>
      </div>
      <Wrong error={error} />
      {data && data.items.length > 0 && <Table items={data.items} />}
      {data && data.items.length === 0 && <Empty mode={mode} filtered={filtered} onNew={() => setMaking(true)} />}
      <div className={css.pager}>
        {search.after && (
          <Button variant="default" onClick={() => void navigate({ search: ({ after: _, ...rest }) => rest })}>
            {t("sessions.first")}
          </Button>
        )}
        {data?.next && (
          <Button variant="default" onClick={() => void navigate({ search: (was) => ({ ...was, after: data.next }) })}>
            {t("sessions.more")}
          </Button>
        )}
      </div>
      {making && <NewSession onClose={() => setMaking(false)} />}
    </div>
  );
}

function Search({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useHotkeys([["/", () => field.current?.focus()]]);
  return (
    <search className={css.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextInput
          ref={field}
          type="search"
          aria-label={t("sessions.search")}
          placeholder={`${t("sessions.search")}   ( / )`}
          title={t("sessions.search_hint")}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function Table({ items }: { items: Session[] }) {
  return (
    <div className={css.tableBox}>
      <table className={css.table}>
        <caption className="visually-hidden">{t("sessions.table")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("sessions.column.reference")}</th>
            <th scope="col">{t("sessions.column.state")}</th>
            <th scope="col">{t("sessions.column.document")}</th>
            <th scope="col">{t("sessions.column.reason")}</th>
            <th scope="col">{t("sessions.column.created")}</th>
            <th scope="col">{t("sessions.column.decided")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The last part of an id tells sessions apart; the first only says when. */
const shortId = (id: string) => `…${id.slice(-8)}`;

function Row({ session }: { session: Session }) {
  const { shape, word } = sessionLooks[session.state];
  const { data: catalogue } = useQuery(queries.catalogue);
  const reason = session.last_problem?.code;
  return (
    <tr className={css.row}>
      <th scope="row" className={css.first}>
        <Link to="/console/sessions/$id" params={{ id: session.id }} className={css.link}>
          <span
            className={session.external_reference ? css.reference : css.noReference}
            title={session.external_reference}
          >
            {session.external_reference || t("sessions.no_reference")}
          </span>
          <code className={css.id} title={session.id}>
            {shortId(session.id)}
          </code>
        </Link>
      </th>
      <td>
        <State shape={shape}>{t(word)}</State>
      </td>
      <td className={css.kind}>{session.document_kind ? worded("kind", session.document_kind) : "–"}</td>
      <td className={css.reason} title={reason} data-empty={!reason}>
        {reason ? catalogue?.get(reason)?.reviewer || catalogue?.get(reason)?.title || reason : "–"}
      </td>
      <td className={css.time}>
        <Time iso={session.created_at} />
      </td>
      <td className={css.time}>{session.decided_at ? <Time iso={session.decided_at} /> : "–"}</td>
    </tr>
  );
}

function Empty({ mode, filtered, onNew }: { mode: Mode; filtered: boolean; onNew: () => void }) {
  return (
    <div className={css.empty}>
      <h2 className={css.emptyTitle}>{t(filtered ? "sessions.none.title" : "sessions.empty.title")}</h2>
      <p className={css.emptyText}>{t(filtered ? "sessions.none.text" : `sessions.empty.${mode}`)}</p>
      {!filtered && mode === "test" && <Button onClick={onNew}>{t("sessions.new")}</Button>}
    </div>
  );
}

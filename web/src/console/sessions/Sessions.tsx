import { Button, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Mode, Session } from "../../api/wire.ts";
import { Wrong } from "../pages/Wrong.tsx";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { sessionLooks, sessionStates } from "../states.ts";
import { t, worded } from "../words.ts";
import { NewSession } from "./NewSession.tsx";
import css from "./Sessions.module.css";

/** The list of sessions. What is filtered stands in the address, so that it can be sent. */
export function Sessions() {
  const search = useSearch({ from: "/console/sessions" });
  const navigate = useNavigate({ from: "/console/sessions" });
  const mode: Mode = search.mode ?? "test";
  const { data, error } = useQuery({ ...queries.sessions({ ...search, mode }), placeholderData: keepPreviousData });
  const [making, setMaking] = useState(false);
  const filtered = search.state !== undefined || search.q !== undefined;

  return (
    <Page
      title={t("sessions.title")}
      actions={mode === "test" && <Button onClick={() => setMaking(true)}>{t("sessions.new")}</Button>}
    >
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
      {data && data.items.length > 0 && <List items={data.items} />}
      {data && data.items.length === 0 && <Nothing mode={mode} filtered={filtered} onNew={() => setMaking(true)} />}
      <Pager
        first={search.after ? () => void navigate({ search: ({ after: _, ...rest }) => rest }) : null}
        next={data?.next ? () => void navigate({ search: (was) => ({ ...was, after: data.next }) }) : null}
        words={{ first: t("sessions.first"), next: t("sessions.more") }}
      />
      {making && <NewSession onClose={() => setMaking(false)} />}
    </Page>
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

function List({ items }: { items: Session[] }) {
  return (
    <Table
      caption={t("sessions.table")}
      columns={[
        t("sessions.column.reference"),
        t("sessions.column.state"),
        t("sessions.column.document"),
        t("sessions.column.reason"),
        t("sessions.column.created"),
        t("sessions.column.decided"),
      ]}
    >
      {items.map((session) => (
        <Row key={session.id} session={session} />
      ))}
    </Table>
  );
}

/** The last part of an id tells sessions apart; the first only says when. */
const shortId = (id: string) => `…${id.slice(-8)}`;

function Row({ session }: { session: Session }) {
  const { shape, word } = sessionLooks[session.state];
  const { reviewer } = useReasons();
  const reason = session.last_problem?.code;
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <Link to="/console/sessions/$id" params={{ id: session.id }} className={cell.pair}>
          <span data-empty={!session.external_reference} title={session.external_reference}>
            {session.external_reference || t("sessions.no_reference")}
          </span>
          <code className={cell.code} title={session.id}>
            {shortId(session.id)}
          </code>
        </Link>
      </th>
      <td>
        <State shape={shape}>{t(word)}</State>
      </td>
      <td className={cell.plain}>{session.document_kind ? worded("kind", session.document_kind) : "–"}</td>
      <td className={cell.wide} title={reason} data-empty={!reason}>
        {reason ? reviewer(reason) : "–"}
      </td>
      <td className={cell.quiet}>
        <Time iso={session.created_at} />
      </td>
      <td className={cell.quiet} data-empty={!session.decided_at}>
        {session.decided_at ? <Time iso={session.decided_at} /> : "–"}
      </td>
    </tr>
  );
}

function Nothing({ mode, filtered, onNew }: { mode: Mode; filtered: boolean; onNew: () => void }) {
  return (
    <Empty
      title={t(filtered ? "sessions.none.title" : "sessions.empty.title")}
      text={t(filtered ? "sessions.none.text" : `sessions.empty.${mode}`)}
    >
      {!filtered && mode === "test" && <Button onClick={onNew}>{t("sessions.new")}</Button>}
    </Empty>
  );
}

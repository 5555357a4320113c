import { Button, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Mode } from "../../api/wire.ts";
import { Drilled } from "../insight/Drilled.tsx";
import { barOf } from "../insight/drill.ts";
import { usePageCommands } from "../parts/commands.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Masked } from "../parts/Masked.tsx";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { ExportSessions } from "./ExportSessions.tsx";
import { Filters } from "./Filters.tsx";
import { isNarrowed, narrowing } from "./filter.ts";
import { List } from "./List.tsx";
import { NewSession } from "./NewSession.tsx";
import { Found, Person } from "./Person.tsx";
import type { Sought } from "./queries.ts";
import css from "./Sessions.module.css";
import { Views } from "./Views.tsx";

/** The list of sessions. Its filters are in the address, so that it can be sent; a search for a person never is. */
export function Sessions() {
  const { mode = "test", ...search } = useSearch({ from: "/console/sessions" });
  const navigate = useNavigate({ from: "/console/sessions" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery({ ...queries.sessions({ ...search, mode }), placeholderData: keepPreviousData });
  const [making, setMaking] = useState(false);
  const [asking, setAsking] = useState(false);
  const [sought, setSought] = useState<Sought | null>(null);
  const narrowed = isNarrowed(search);
  const sorted = search.sort ? { sort: search.sort } : {};
  const makes = me.may.includes("sessions.write");
  const make = t(mode === "live" ? "sessions.new_live" : "sessions.new");
  const go = (to: typeof search) => void navigate({ search: mode === "live" ? { mode, ...to } : to });
  const seeks = me.may.includes("sessions.search");
  usePageCommands([
    ...(makes ? [{ name: make, run: () => setMaking(true) }] : []),
    ...(seeks ? [{ name: t("person.open"), run: () => setAsking(true) }] : []),
  ]);

  return (
    <Page
      title={t("sessions.title")}
      actions={
        <>
          <ExportSessions mode={mode} search={search} found={sought !== null} />
          {makes && <Button onClick={() => setMaking(true)}>{make}</Button>}
        </>
      }
    >
      <Masked />
      <div className={css.tools}>
        <Search
          key={search.q ?? ""}
          value={search.q ?? ""}
          word={t(me.masked.includes("sessions.read") ? "sessions.search_id" : "sessions.search")}
          onSearch={(q) => {
            const { after: _, q: __, ...rest } = search;
            go(q ? { ...rest, q } : rest);
          }}
        />
        {seeks && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t("person.open")}
          </Button>
        )}
        <Views mode={mode} search={search} onView={(filter) => go({ ...filter, ...sorted })} />
      </div>
      {sought ? (
        <Found key={JSON.stringify([mode, sought])} mode={mode} sought={sought} onClose={() => setSought(null)} />
      ) : (
        <>
          <Filters
            mode={mode}
            search={search}
            counts={data?.counts ?? {}}
            onChange={(to) =>
              go(
                Object.keys(to).length > 0
                  ? { ...to, ...barOf(search), ...(search.q ? { q: search.q } : {}), ...sorted }
                  : { ...to, ...sorted },
              )
            }
          />
          <Drilled search={search} total={data?.total} onDrop={() => go({ ...narrowing(search), ...sorted })} />
          <ErrorMessage error={error} />
          {data && data.items.length > 0 && (
            <List
              caption={t("sessions.table")}
              items={data.items}
              about={data.about}
              sort={{
                now: search.sort,
                onSort: (sort) => {
                  const { after: _, sort: __, ...rest } = search;
                  go(sort ? { ...rest, sort } : rest);
                },
              }}
            />
          )}
          {data && data.items.length === 0 && (
            <Nothing mode={mode} narrowed={narrowed} onNew={makes ? () => setMaking(true) : null} />
          )}
          <Pager
            first={search.after ? () => void navigate({ search: ({ after: _, ...rest }) => rest }) : null}
            next={data?.next ? () => void navigate({ search: (was) => ({ ...was, after: data.next }) }) : null}
            words={{ first: t("sessions.first"), next: t("sessions.more") }}
          />
        </>
      )}
      {making && <NewSession mode={mode} onClose={() => setMaking(false)} />}
      {asking && (
        <Person
          onClose={() => setAsking(false)}
          onSeek={(whom) => {
            setSought(whom);
            setAsking(false);
          }}
        />
      )}
    </Page>
  );
}

function Search({ value, word, onSearch }: { value: string; word: string; onSearch: (q: string) => void }) {
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
          aria-label={word}
          placeholder={`${word}   ( / )`}
          title={t("sessions.search_hint")}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function Nothing({ mode, narrowed, onNew }: { mode: Mode; narrowed: boolean; onNew: (() => void) | null }) {
  return (
    <Empty
      title={t(narrowed ? "sessions.none.title" : "sessions.empty.title")}
      text={t(narrowed ? "sessions.none.text" : `sessions.empty.${mode}`)}
    >
      {!narrowed && onNew && <Button onClick={onNew}>{t("sessions.new")}</Button>}
    </Empty>
  );
}

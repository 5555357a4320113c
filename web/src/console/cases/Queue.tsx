import { Button } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Refused } from "../../api/failure.ts";
import { follow } from "../../api/sse.ts";
import type { Case, Me, Mode } from "../../api/wire.ts";
import { usePageCommands } from "../parts/commands.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { useKeys } from "../parts/keys.ts";
import { Masked } from "../parts/Masked.tsx";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import { fullName } from "../parts/person.ts";
import { State } from "../parts/State.tsx";
import { sortable } from "../parts/sort.ts";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { Why } from "../parts/Why.tsx";
import { client, queries } from "../queries.ts";
import { Desk } from "../queue/Desk.tsx";
import { Filters } from "../queue/Filters.tsx";
import { isNarrowed, narrowing } from "../queue/filter.ts";
import { t } from "../words.ts";
import { Assign } from "./Assign.tsx";
import { whyNotAssigned } from "./can.ts";
import own from "./Queue.module.css";
import { calls, caseQueries, type Order, type Tab, tabs } from "./queries.ts";
import { target } from "./target.ts";

/** Reads the queue again whenever the server says that something happened in it. */
function useQueueNews(mode: Mode): boolean {
  const [alive, setAlive] = useState(true);
  useEffect(
    () =>
      follow(`/v1/console/cases/events?mode=${mode}`, {
        onEvent: () => void client.invalidateQueries({ queryKey: ["cases"] }),
        refused: () => setAlive(false),
        alive: setAlive,
      }),
    [mode],
  );
  return alive;
}

/** The review queue: what waits for a decision, the most urgent first unless the address says otherwise. */
export function Queue() {
  const search = useSearch({ from: "/console/cases" });
  const navigate = useNavigate({ from: "/console/cases" });
  const mode: Mode = search.mode ?? "test";
  const tab: Tab = search.tab ?? "unclaimed";
  const { after: _, tab: __, ...rest } = search;
  const filter = narrowing({ ...search });
  const { data, error } = useQuery({
    ...caseQueries.cases(mode, tab, search, filter),
    placeholderData: keepPreviousData,
  });
  const alive = useQueueNews(mode);
  const next = useMutation({
    mutationFn: () => calls.next(mode),
    onSuccess: ({ id }) => navigate({ to: "/console/cases/$id", params: { id } }),
  });
  const nothing = next.error instanceof Refused && next.error.problem.status === 404;
  const { data: me } = useSuspenseQuery(queries.me);
  const decides = me.may.includes("cases.decide");
  const go = () => {
    if (decides && !next.isPending) next.mutate();
  };
  useKeys({ j: go, ArrowRight: go });
  usePageCommands(decides ? [{ name: t("cases.next"), run: go }] : []);

  return (
    <Page
      title={t("cases.title")}
      actions={
        decides && (
          <Button
            onClick={go}
            loading={next.isPending}
            aria-keyshortcuts="J"
            rightSection={<kbd className={own.key}>J</kbd>}
          >
            {t("cases.next")}
          </Button>
        )
      }
    >
      <Masked />
      <div className={own.tools}>
        <nav className={own.tabs} aria-label={t("cases.tabs")}>
          {tabs
            .filter((one) => decides || one !== "mine")
            .map((one) => (
              <Link
                key={one}
                to="/console/cases"
                search={one === "unclaimed" ? rest : { ...rest, tab: one }}
                className={own.tab}
                data-active={one === tab}
                aria-current={one === tab ? "page" : undefined}
              >
                {t(`cases.${one}`)}
                <span className={own.count}>{data?.counts[one] ?? 0}</span>
              </Link>
            ))}
        </nav>
        <span className={own.live} data-alive={alive} role="status">
          {nothing ? t("cases.nothing_left") : t(alive ? "cases.live" : "cases.not_live")}
        </span>
      </div>
      <Desk mode={mode} me={me} />
      <Filters
        mode={mode}
        me={me}
        search={filter}
        onChange={(to) =>
          void navigate({
            search: {
              ...(search.mode ? { mode } : {}),
              ...(search.tab ? { tab: search.tab } : {}),
              ...(search.sort ? { sort: search.sort } : {}),
              ...to,
            },
          })
        }
      />
      <ErrorMessage error={error ?? (nothing ? null : next.error)} />
      {data && data.items.length > 0 && (
        <Cases
          items={data.items}
          me={me}
          sort={search.sort}
          onSort={(sort) => {
            const { after: _, sort: __, ...rest } = search;
            void navigate({ search: sort ? { ...rest, sort } : rest });
          }}
        />
      )}
      {data && data.items.length === 0 && (
        <Empty
          title={t(isNarrowed(filter) ? "queue.empty.title" : `cases.empty.${tab}.title`)}
          text={t(isNarrowed(filter) ? "queue.empty.text" : `cases.empty.${tab}`)}
        />
      )}
      <Pager
        first={search.after ? () => void navigate({ search: ({ after: _, ...rest }) => rest }) : null}
        next={data?.next ? () => void navigate({ search: (was) => ({ ...was, after: data.next }) }) : null}
        words={{ first: t("sessions.first"), next: t("sessions.more") }}
      />
    </Page>
  );
}

function Cases({
  items,
  me,
  sort,
  onSort,
}: {
  items: Case[];
  me: Me;
  sort: Order | undefined;
  onSort: (to: Order | undefined) => void;
}) {
  const [giving, setGiving] = useState<Case | null>(null);
  const [now, setNow] = useState(Date.now());
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true });
  const heading = (name: string, key: "due_at" | "reason" | "assignee") =>
    sortable(name, key, { sort, usual: "due_at", onSort });
  return (
    <>
      <Table
        caption={t("cases.table")}
        columns={[
          t("cases.column.reference"),
          t("sessions.column.person"),
          heading(t("cases.column.target"), "due_at"),
          heading(t("cases.column.why"), "reason"),
          heading(t("cases.column.who"), "assignee"),
        ]}
      >
        {items.map((one) => (
          <Row key={one.id} one={one} me={me} now={now} onGive={() => setGiving(one)} />
        ))}
      </Table>
      {giving && <Assign one={giving} onClose={() => setGiving(null)} />}
    </>
  );
}

function Row({ one, me, now, onGive }: { one: Case; me: Me; now: number; onGive: () => void }) {
  const { session } = one;
  const against = target(one, now);
  const person = fullName(session.person);
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <Link to="/console/cases/$id" params={{ id: one.id }} className={cell.pair}>
          <span data-empty={!session.external_reference}>
            {session.external_reference || t("sessions.no_reference")}
          </span>
          <code className={cell.code} title={one.id}>
            {shortId(one.id)}
          </code>
        </Link>
      </th>
      <td className={cell.person} data-empty={!person}>
        {person || "–"}
      </td>
      <td>
        <State shape={against.shape}>{t(against.word, { span: against.span })}</State>
        <span className={cell.under}>
          {t("cases.queued")} <Time iso={one.opened_at} />
        </span>
      </td>
      <td className={cell.wide}>
        <Why codes={one.reasons} />
        <span className={cell.under}>{`${one.workflow.name} ${one.workflow.number}`}</span>
      </td>
      <td className={cell.plain}>
        {one.assignee
          ? one.assignee.id === me.id
            ? t("cases.you")
            : one.assignee.name || t("case.somebody")
          : t("cases.nobody")}
        {one.approved_by && <span className={own.second}>{t("cases.second")}</span>}
        {!whyNotAssigned(one, me) && (
          <Button
            variant="subtle"
            size="compact-xs"
            className={own.give}
            aria-label={t("case.assign_one", { reference: session.external_reference || one.id })}
            onClick={onGive}
          >
            {t("case.assign")}
          </Button>
        )}
      </td>
    </tr>
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, type ReactNode, useState } from "react";
import type { AuditEntry } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Export } from "../parts/Export.tsx";
import { shortId } from "../parts/ids.ts";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Audit.module.css";
import { Checkpoint } from "./Checkpoint.tsx";
import { Filters } from "./Filters.tsx";
import { Proof } from "./Proof.tsx";
import { type AuditSearch, auditQueries, exportEntries } from "./queries.ts";

/** The audit log, newest first, with the proof that no entry was changed. */
export function AuditPage() {
  const search = useSearch({ from: "/console/settings/audit" });
  const navigate = useNavigate();
  const { data, error } = useQuery({ ...auditQueries.entries(search), placeholderData: keepPreviousData });
  const go = (next: AuditSearch) => void navigate({ to: "/console/settings/audit", search: next });
  const { after, ...filter } = search;
  const filtered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t("audit.title")}
      lead={t("audit.text")}
      actions={<Export name="audit-entries" rows="limit" get={(format) => exportEntries(filter, format)} />}
    >
      <Checkpoint />
      <Filters key={JSON.stringify(filter)} search={filter} actions={data?.actions ?? []} onSearch={go} />
      <ErrorMessage error={error} />
      {!data && !error && <p className={cell.quiet}>{t("app.loading")}</p>}
      {data?.items.length === 0 && (
        <Empty title={t("audit.empty.title")} text={t(filtered ? "audit.empty.filtered" : "audit.empty.text")} />
      )}
      {data && data.items.length > 0 && <Entries items={data.items} />}
      <Pager
        first={after ? () => go(filter) : null}
        next={data?.next ? () => go({ ...filter, after: data.next }) : null}
        words={{ first: t("audit.newest"), next: t("audit.older") }}
      />
    </Page>
  );
}

function Entries({ items }: { items: readonly AuditEntry[] }) {
  const [open, setOpen] = useState("");
  return (
    <Table
      caption={t("audit.table")}
      columns={[
        t("audit.column.what"),
        t("audit.column.who"),
        t("audit.column.about"),
        t("audit.column.when"),
        t("audit.column.position"),
      ]}
    >
      {items.map((entry) => (
        <Fragment key={entry.id}>
          <Row entry={entry} open={open === entry.id} onOpen={() => setOpen(open === entry.id ? "" : entry.id)} />
          {open === entry.id && (
            <tr className={cell.detail} id={`proof-${entry.id}`}>
              <td colSpan={5}>
                <Proof entry={entry} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </Table>
  );
}

function Row({ entry, open, onOpen }: { entry: AuditEntry; open: boolean; onOpen: () => void }) {
  const what = labelOf("audit.action", entry.action);
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <span className={cell.name} title={entry.action}>
          {what}
        </span>
      </th>
      <td className={css.who}>
        <Who entry={entry} />
      </td>
      <td>
        <About entry={entry} />
      </td>
      <td className={cell.quiet}>
        <Time iso={entry.at} />
      </td>
      <td>
        <button
          type="button"
          className={css.opener}
          onClick={onOpen}
          aria-expanded={open}
          aria-controls={`proof-${entry.id}`}
          aria-label={t("audit.show_proof", { what, position: String(entry.position ?? "") })}
        >
          <span aria-hidden="true">{open ? "▾" : "▸"}</span> {entry.position ?? "…"}
        </button>
      </td>
    </tr>
  );
}

/** The actor of an entry: a member by name, others by kind; with the network of the call. */
function Who({ entry }: { entry: AuditEntry }) {
  const kind = t(`audit.actor.${entry.actor}`);
  return (
    <>
      <span title={entry.actor_id || kind}>{entry.actor_name || kind}</span>
      {entry.address && <code className={cell.code}> {entry.address}</code>}
    </>
  );
}

/** The end of an id; what is no id, such as the hours of a retention, whole. */
const tail = (id: string): string => (id.length > 12 && !id.includes(" ") ? shortId(id) : id);

/** The session that an entry is about, and the thing within it; each leads to its page, where it has one. */
function About({ entry }: { entry: AuditEntry }) {
  const { session, subject } = entry;
  const parts: ReactNode[] = [];
  if (session)
    parts.push(
      <Link key="session" to="/console/sessions/$id" params={{ id: session }} className={cell.code} title={session}>
        {t("audit.about.session")} {tail(session)}
      </Link>,
    );
  if (subject.startsWith("cas_"))
    parts.push(
      <Link key="case" to="/console/cases/$id" params={{ id: subject }} className={cell.code} title={subject}>
        {t("audit.about.case")} {tail(subject)}
      </Link>,
    );
  else if (subject.startsWith("whk_"))
    parts.push(
      <Link
        key="webhook"
        to="/console/developers/webhooks/$id"
        params={{ id: subject }}
        className={cell.code}
        title={subject}
      >
        {t("audit.about.webhook")} {tail(subject)}
      </Link>,
    );
  else if (subject && !session)
    parts.push(
      <code key="subject" className={cell.code} title={subject}>
        {tail(subject)}
      </code>,
    );
  return <span className={css.about}>{parts.length > 0 ? parts : "–"}</span>;
}

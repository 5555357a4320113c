import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import type { Session, SessionAbout } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { shortId } from "../parts/ids.ts";
import { useKeys } from "../parts/keys.ts";
import { fullName } from "../parts/person.ts";
import { State } from "../parts/State.tsx";
import { sortable } from "../parts/sort.ts";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { Why } from "../parts/Why.tsx";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import type { SessionsSearch } from "./filter.ts";

/** Rows of sessions. J and K, or the arrows, go from one to the next; Enter opens the one that has the focus. */
export function List({
  caption,
  items,
  about = [],
  sort,
}: {
  caption: string;
  items: readonly Session[];
  about?: readonly SessionAbout[];
  /** The order in the address, and what changes it; absent where the rows have an order of their own. */
  sort?: { now: SessionsSearch["sort"]; onSort: (to: SessionsSearch["sort"]) => void };
}) {
  const box = useRef<HTMLDivElement>(null);
  const step = (by: number) => () => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>("th a") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    const to = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
    to?.focus();
    to?.scrollIntoView({ block: "nearest" });
  };
  const heading = (name: string, key: "state" | "created_at" | "decided_at") =>
    sort
      ? sortable(name, key, { sort: sort.now, usual: "-created_at", down: key !== "state", onSort: sort.onSort })
      : name;
  useKeys({ j: step(1), ArrowDown: step(1), k: step(-1), ArrowUp: step(-1) });
  return (
    <div ref={box}>
      <Table
        caption={caption}
        columns={[
          t("sessions.column.reference"),
          t("sessions.column.person"),
          heading(t("sessions.column.state"), "state"),
          t("sessions.column.document"),
          t("sessions.column.why"),
          heading(t("sessions.column.created"), "created_at"),
          heading(t("sessions.column.decided"), "decided_at"),
        ]}
      >
        {items.map((session) => (
          <Row key={session.id} session={session} about={about.find(({ id }) => id === session.id)} />
        ))}
      </Table>
    </div>
  );
}

function Row({ session, about }: { session: Session; about: SessionAbout | undefined }) {
  const { shape, word } = sessionLooks[session.state];
  const problem = session.last_problem?.code;
  const codes = about?.reasons.length ? about.reasons : problem ? [problem] : [];
  const person = fullName(about?.person) || fullName(session.claimed);
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
      <td className={cell.person} data-empty={!person}>
        {person || "–"}
      </td>
      <td>
        <State shape={shape}>{t(word)}</State>
      </td>
      <td className={cell.plain} data-empty={!session.document_kind}>
        {session.document_kind ? labelOf("kind", session.document_kind) : "–"}
        {session.country && <span title={session.country}>, {countryName(session.country)}</span>}
      </td>
      <td className={cell.wide} data-empty={codes.length === 0}>
        {codes.length > 0 ? <Why codes={codes} /> : "–"}
      </td>
      <td className={cell.quiet}>
        <Time iso={session.created_at} />
      </td>
      <td className={cell.quiet} data-empty={!session.decided_at} data-label={t("sessions.column.decided")}>
        {session.decided_at ? <Time iso={session.decided_at} /> : "–"}
      </td>
    </tr>
  );
}

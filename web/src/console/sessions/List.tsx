import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import type { Session, SessionAbout } from "../../api/wire.ts";
import { countryName } from "../parts/country.ts";
import { shortId } from "../parts/ids.ts";
import { useKeys } from "../parts/keys.ts";
import { fullName } from "../parts/person.ts";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { type Sortable, Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { Why } from "../parts/Why.tsx";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";

/** Rows of sessions. J and K, or the arrows, go from one to the next; Enter opens the one that has the focus. */
export function List({
  caption,
  items,
  about = [],
  created,
}: {
  caption: string;
  items: readonly Session[];
  about?: readonly SessionAbout[];
  /** How the rows are ordered by their creation, and what changes that; absent where the order is another one. */
  created?: Omit<Sortable, "name">;
}) {
  const box = useRef<HTMLDivElement>(null);
  const step = (by: number) => () => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>("th a") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    const to = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
    to?.focus();
    to?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: step(1), ArrowDown: step(1), k: step(-1), ArrowUp: step(-1) });
  return (
    <div ref={box}>
      <Table
        caption={caption}
        columns={[
          t("sessions.column.reference"),
          t("sessions.column.person"),
          t("sessions.column.state"),
          t("sessions.column.document"),
          t("sessions.column.why"),
          created ? { name: t("sessions.column.created"), ...created } : t("sessions.column.created"),
          t("sessions.column.decided"),
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

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Empty, Page, Pager } from "../parts/Page.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { t } from "../words.ts";
import { useMode } from "./mode.ts";
import { developerQueries } from "./queries.ts";

const isId = (value: unknown) => typeof value === "string" && /^[a-z]{3}_[0-9a-z]{26}$/.test(value);

/** What an event says, as one line: outcome and reasons first, ids behind them. */
const line = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .sort(([, a], [, b]) => Number(isId(a)) - Number(isId(b)))
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join(" · ");

/** Everything that other systems can learn of, newest first. */
export function Events() {
  const mode = useMode();
  return <Log key={mode} />;
}

function Log() {
  const mode = useMode();
  const [after, setAfter] = useState("");
  const { data, error } = useQuery({ ...developerQueries.events(mode, after), placeholderData: keepPreviousData });
  return (
    <Page title={t("events.title")} lead={t("events.text")}>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && <Empty title={t("events.empty.title")} text={t("events.empty.text")} />}
      {data && data.items.length > 0 && (
        <Table
          caption={t("events.table")}
          columns={[
            t("events.column.type"),
            t("events.column.session"),
            t("events.column.says"),
            t("events.column.when"),
          ]}
        >
          {data.items.map((event) => (
            <tr key={event.id} className={cell.row}>
              <th scope="row" className={cell.first}>
                <span className={cell.name}>{event.type}</span>
              </th>
              <td>
                <Link
                  to="/console/sessions/$id"
                  params={{ id: event.session }}
                  className={cell.code}
                  title={event.session}
                >
                  {shortId(event.session)}
                </Link>
              </td>
              <td className={cell.wide} title={line(event.data)}>
                {line(event.data) || "–"}
              </td>
              <td className={cell.quiet}>
                <Time iso={event.timestamp} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Pager first={after ? () => setAfter("") : null} next={data?.next ? () => setAfter(data.next) : null} />
    </Page>
  );
}

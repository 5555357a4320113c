import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Wrong } from "../pages/Wrong.tsx";
import { Time } from "../parts/Time.tsx";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { Empty, Frame, useMode } from "./Frame.tsx";
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
    <Frame title={t("events.title")}>
      <p className={css.soft}>{t("events.text")}</p>
      <Wrong error={error} />
      {data?.items.length === 0 && <Empty title={t("events.empty.title")} text={t("events.empty.text")} />}
      {data && data.items.length > 0 && (
        <div className={css.tableBox}>
          <table className={css.table}>
            <caption className="visually-hidden">{t("events.table")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("events.column.type")}</th>
                <th scope="col">{t("events.column.session")}</th>
                <th scope="col">{t("events.column.says")}</th>
                <th scope="col">{t("events.column.when")}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((event) => (
                <tr key={event.id} className={css.row}>
                  <th scope="row" className={css.first}>
                    <span className={css.name}>{event.type}</span>
                  </th>
                  <td>
                    <Link
                      to="/console/sessions/$id"
                      params={{ id: event.session }}
                      className={css.code}
                      title={event.session}
                    >
                      …{event.session.slice(-8)}
                    </Link>
                  </td>
                  <td className={css.wide} title={line(event.data)}>
                    {line(event.data) || "–"}
                  </td>
                  <td className={css.quiet}>
                    <Time iso={event.timestamp} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className={css.pager}>
        {after && (
          <Button variant="default" onClick={() => setAfter("")}>
            {t("events.first")}
          </Button>
        )}
        {data?.next && (
          <Button variant="default" onClick={() => setAfter(data.next)}>
            {t("events.more")}
          </Button>
        )}
      </div>
    </Frame>
  );
}

import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookEndpoint } from "../../api/wire.ts";
import { Wrong } from "../pages/Wrong.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { ago, t } from "../words.ts";
import css from "./Developers.module.css";
import { Empty, Frame, useMode } from "./Frame.tsx";
import { NewWebhook } from "./NewWebhook.tsx";
import { developerQueries } from "./queries.ts";

/** The webhook endpoints of a mode. */
export function Webhooks() {
  const mode = useMode();
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(developerQueries.endpoints(mode));
  const [making, setMaking] = useState(false);
  const make = me.may.includes("webhooks.write") && (
    <Button onClick={() => setMaking(true)}>{t("webhooks.new")}</Button>
  );
  return (
    <Frame title={t("webhooks.title")} actions={make}>
      <Wrong error={error} />
      {data?.items.length === 0 && <Empty title={t("webhooks.empty.title")} text={t("webhooks.empty.text")} />}
      {data && data.items.length > 0 && (
        <div className={css.tableBox}>
          <table className={css.table}>
            <caption className="visually-hidden">{t("webhooks.table")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("webhooks.column.url")}</th>
                <th scope="col">{t("webhooks.column.state")}</th>
                <th scope="col">{t("webhooks.column.events")}</th>
                <th scope="col">{t("webhooks.column.created")}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((endpoint) => (
                <tr key={endpoint.id} className={css.row}>
                  <th scope="row" className={css.first}>
                    <Link
                      to="/console/developers/webhooks/$id"
                      params={{ id: endpoint.id }}
                      search={mode === "live" ? { mode } : {}}
                      className={css.link}
                    >
                      {endpoint.url}
                    </Link>
                  </th>
                  <td>
                    <Health endpoint={endpoint} />
                  </td>
                  <td className={css.wide} title={endpoint.events.join(", ")}>
                    {endpoint.events.length === 0 ? t("webhooks.all_events") : endpoint.events.join(", ")}
                  </td>
                  <td className={css.quiet}>
                    <Time iso={endpoint.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {making && data && <NewWebhook mode={mode} types={data.types} onClose={() => setMaking(false)} />}
    </Frame>
  );
}

/** Whether deliveries arrive. */
export function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (!endpoint.failing_since) return <State shape="pass">{t("webhooks.answers")}</State>;
  return <State shape="fail">{t("webhooks.failing", { when: ago(endpoint.failing_since) })}</State>;
}

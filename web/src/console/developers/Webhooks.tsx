import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Me, Mode, WebhookEndpoint } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { ago, t } from "../words.ts";
import { useMode } from "./mode.ts";
import { NewWebhook } from "./NewWebhook.tsx";
import { developerQueries } from "./queries.ts";

/** The webhook endpoints of a mode. */
export function Webhooks() {
  const mode = useMode();
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(developerQueries.endpoints(mode));
  const [making, setMaking] = useState(false);
  const reads = readsSessions(me, mode);
  const make = me.may.includes("webhooks.write") && (
    <Button onClick={() => setMaking(true)}>{t("webhooks.new")}</Button>
  );
  return (
    <Page title={t("webhooks.title")} actions={make}>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && <Empty title={t("webhooks.empty.title")} text={t("webhooks.empty.text")} />}
      {data && data.items.length > 0 && (
        <Table
          caption={t("webhooks.table")}
          columns={[
            t("webhooks.column.url"),
            t("webhooks.column.state"),
            t("webhooks.column.events"),
            t("webhooks.column.created"),
          ]}
        >
          {data.items.map((endpoint) => (
            <tr key={endpoint.id} className={cell.row}>
              <th scope="row" className={cell.address}>
                <Link
                  to="/console/developers/webhooks/$id"
                  params={{ id: endpoint.id }}
                  search={mode === "live" ? { mode } : {}}
                  className={cell.link}
                >
                  {endpoint.url}
                </Link>
              </th>
              <td>
                <Health endpoint={endpoint} />
              </td>
              <td className={cell.wide} data-label={t("webhooks.column.events")} title={endpoint.events.join(", ")}>
                {endpoint.events.length === 0 ? t("webhooks.all_events") : endpoint.events.join(", ")}
              </td>
              <td className={cell.quiet} data-label={t("webhooks.column.created")}>
                <Time iso={endpoint.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {making && data && <NewWebhook mode={mode} types={data.types} reads={reads} onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** Whether a member may read sessions of a mode unmasked: what it takes to let webhooks carry what was stated. The server decides. */
export const readsSessions = ({ may, masked, roles }: Me, mode: Mode): boolean =>
  may.includes("sessions.read") &&
  !masked.includes("sessions.read") &&
  (mode === "test" || roles.some((role) => role !== "developer"));

/** Whether deliveries arrive. */
export function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.stopped_at)
    return <State shape="fail">{t("webhooks.stopped", { when: ago(endpoint.stopped_at) })}</State>;
  if (endpoint.paused_at) return <State shape="idle">{t("webhooks.paused", { when: ago(endpoint.paused_at) })}</State>;
  if (!endpoint.failing_since) return <State shape="pass">{t("webhooks.answers")}</State>;
  return <State shape="fail">{t("webhooks.failing", { when: ago(endpoint.failing_since) })}</State>;
}

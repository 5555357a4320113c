import { Button } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { WebhookDelivery, WebhookTry } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Empty, Pager, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client } from "../queries.ts";
import { ago, t } from "../words.ts";
import css from "./Developers.module.css";
import { developerQueries } from "./queries.ts";

const looks: Record<WebhookDelivery["status"], Shape> = { due: "running", delivered: "pass", given_up: "fail" };

/** What was sent to an endpoint, newest first; each row opens to its tries. */
export function Deliveries({ endpoint, may }: { endpoint: string; may: boolean }) {
  const [after, setAfter] = useState("");
  const [open, setOpen] = useState("");
  const { data, error } = useQuery({
    ...developerQueries.deliveries(endpoint, after),
    placeholderData: keepPreviousData,
  });
  const resend = useMutation({
    mutationFn: (delivery: string) =>
      unwrap(
        api.POST("/v1/console/webhook-endpoints/{id}/deliveries/{delivery}/resend", {
          params: { path: { id: endpoint, delivery } },
          body: {},
        }),
      ),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["deliveries", endpoint] }),
  });
  if (data?.items.length === 0 && after === "")
    return <Empty title={t("webhook.none.title")} text={t("webhook.none.text")} />;
  return (
    <Section title={t("webhook.deliveries")}>
      <ErrorMessage error={error ?? resend.error} />
      <Table
        caption={t("webhook.deliveries")}
        columns={[
          t("webhook.column.event"),
          t("webhook.column.state"),
          t("webhook.column.answer"),
          t("webhook.column.tries"),
          t("webhook.column.when"),
        ]}
        acts={may ? t("webhook.column.actions") : undefined}
      >
        {data?.items.map((item) => (
          <Fragment key={item.id}>
            <Row
              item={item}
              open={open === item.id}
              onOpen={() => setOpen(open === item.id ? "" : item.id)}
              onResend={may ? () => resend.mutate(item.id) : null}
            />
            {open === item.id && <Tries item={item} columns={may ? 6 : 5} />}
          </Fragment>
        ))}
      </Table>
      <Pager first={after ? () => setAfter("") : null} next={data?.next ? () => setAfter(data.next) : null} />
    </Section>
  );
}

function Row({
  item,
  open,
  onOpen,
  onResend,
}: {
  item: WebhookDelivery;
  open: boolean;
  onOpen: () => void;
  onResend: (() => void) | null;
}) {
  const last = item.tries.at(-1);
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <button
          type="button"
          className={css.opener}
          aria-expanded={open}
          aria-label={t("webhook.show", { event: item.type })}
          onClick={onOpen}
        >
          {open ? "▾" : "▸"} <span className={cell.name}>{item.type}</span>
        </button>{" "}
        {item.session && (
          <Link to="/console/sessions/$id" params={{ id: item.session }} className={cell.code}>
            {shortId(item.session)}
          </Link>
        )}
      </th>
      <td>
        <State shape={looks[item.status]}>{t(`webhook.${item.status}`)}</State>
      </td>
      <td className={cell.wide}>
        {item.status === "due" && item.next_at && item.attempt > 0 && new Date(item.next_at).getTime() > Date.now()
          ? t("webhook.due_at", { when: ago(item.next_at) })
          : last
            ? said(last)
            : "–"}
      </td>
      <td className={cell.quiet} data-label={t("webhook.column.tries")}>
        {item.attempt}
      </td>
      <td className={cell.quiet}>
        <Time iso={item.created_at} />
      </td>
      {onResend && (
        <td>
          <div className={cell.actions}>
            <Button size="compact-sm" variant="default" onClick={onResend}>
              {t("webhook.resend")}
            </Button>
          </div>
        </td>
      )}
    </tr>
  );
}

/** How a try went, in a few words. */
function said(one: WebhookTry): string {
  const took = t("webhook.took", { ms: one.took_ms });
  if (one.fault === "") return `${one.status} · ${took}`;
  return `${one.status === 0 ? "" : `${one.status} · `}${t(`fault.${one.fault}`)} · ${took}`;
}

function Tries({ item, columns }: { item: WebhookDelivery; columns: number }) {
  return (
    <tr className={cell.detail}>
      <td colSpan={columns}>
        <ol className={css.tries} aria-label={t("webhook.tries", { event: item.type })}>
          {item.tries.map((one) => (
            <li key={one.at}>
              <Time iso={one.at} /> · <span>{said(one)}</span>
              {one.excerpt && <pre className={css.excerpt}>{one.excerpt}</pre>}
            </li>
          ))}
        </ol>
        {item.tries.length === 0 && <p className={css.soft}>{t("webhook.due")}</p>}
        <code className={cell.code}>webhook-id: {item.event}</code>
      </td>
    </tr>
  );
}

import { Button, Checkbox } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { MailEntry } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Mails.module.css";

const looks = { due: "running", sent: "pass", failed: "fail", dropped: "idle" } as const;

/** Which server takes the mails, and what became of them. Neither what they said nor to whom they went is known any more. */
export function Mails() {
  const [failed, setFailed] = useState(false);
  const mails = useInfiniteQuery({
    queryKey: ["mails", failed],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/v1/console/settings/mails", {
          params: {
            query: {
              limit: 10,
              ...(failed ? { status: "failed" as const } : {}),
              ...(pageParam ? { after: pageParam } : {}),
            },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next || undefined,
  });
  const first = mails.data?.pages[0];
  const items = mails.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title={t("mail.title")}>
      <ErrorMessage error={mails.error} />
      {first && <p>{first.on ? t("mail.on", { from: first.from, host: first.host }) : t("mail.off")}</p>}
      {first?.on && <Try />}
      {first && (first.on || items.length > 0 || failed) && (
        <>
          <Checkbox
            className={css.only}
            label={t("mail.only_failed")}
            checked={failed}
            onChange={(event) => setFailed(event.currentTarget.checked)}
          />
          {items.length === 0 ? <p>{t(failed ? "mail.no_failed" : "mail.none")}</p> : <Entries items={items} />}
        </>
      )}
      {mails.hasNextPage && (
        <Button variant="default" loading={mails.isFetchingNextPage} onClick={() => void mails.fetchNextPage()}>
          {t("mail.more")}
        </Button>
      )}
    </Section>
  );
}

/** Sends a mail to the member's own address at once, and says what the server answered. */
function Try() {
  const attempt = useMutation({
    mutationFn: () => unwrap(api.POST("/v1/console/settings/mails/test", { body: {} })),
    onSettled: () => client.invalidateQueries({ queryKey: ["mails"] }),
  });
  const { data } = attempt;
  const fault = data?.fault ? t(`mail.fault.${data.fault}`) : "";
  return (
    <div className={css.attempt}>
      <Button variant="default" loading={attempt.isPending} onClick={() => attempt.mutate()}>
        {t("mail.test")}
      </Button>
      <ErrorMessage error={attempt.error} />
      <p role="status">
        {data?.sent && t("mail.test_sent", { to: data.to })}
        {data &&
          !data.sent &&
          (data.status
            ? t("mail.test_failed_status", { fault, status: data.status })
            : t("mail.test_failed", { fault }))}
      </p>
    </div>
  );
}

function Entries({ items }: { items: readonly MailEntry[] }) {
  const columns = [t("mail.column.kind"), t("mail.column.state"), t("mail.column.created"), t("mail.column.about")];
  return (
    <Table caption={t("mail.list")} columns={columns}>
      {items.map((one) => (
        <tr key={one.id} className={cell.row}>
          <th scope="row" className={cell.first}>
            {t(`mail.kind.${one.kind}`)}
          </th>
          <td data-label={columns[1]}>
            <State shape={looks[one.state]}>{t(`mail.state.${one.state}`)}</State>
            {one.fault && one.state !== "sent" && <span className={css.why}>{t(`mail.fault.${one.fault}`)}</span>}
            {one.next_at && one.attempts > 0 && (
              <span className={css.why}>
                {t("mail.again")} <Time iso={one.next_at} />
              </span>
            )}
          </td>
          <td data-label={columns[2]}>
            <Time iso={one.created_at} />
          </td>
          <td data-label={columns[3]} data-empty={!one.session && !one.subject}>
            {one.session ? (
              <Link to="/console/sessions/$id" params={{ id: one.session }} search={{}}>
                <code title={one.session}>{shortId(one.session)}</code>
              </Link>
            ) : (
              <code>{one.subject || "–"}</code>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

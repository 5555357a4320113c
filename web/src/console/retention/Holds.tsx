import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { HeldSession } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { tailOf } from "../parts/ids.ts";
import { Empty, Pager, Section } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client } from "../queries.ts";
import { ago, t } from "../words.ts";
import { retentionQueries } from "./queries.ts";
import css from "./Retention.module.css";
import { holdDue } from "./retention.ts";

/** The legal holds that are set: whose, why, since when, and a way to release each. */
export function Holds({ every, onDone }: { every: number; onDone: (text: string) => void }) {
  const [after, setAfter] = useState("");
  const { data, error } = useQuery(retentionQueries.holds(after));
  const [releasing, setReleasing] = useState<HeldSession | null>(null);
  return (
    <Section title={t("retention.holds")}>
      <ErrorMessage error={error} />
      {data && data.items.length === 0 && !after && (
        <Empty title={t("retention.holds.none.title")} text={t("retention.holds.none")} />
      )}
      {data && data.items.length > 0 && (
        <Table
          caption={t("retention.holds")}
          columns={[
            t("retention.holds.column.session"),
            t("retention.holds.column.why"),
            t("retention.holds.column.who"),
            t("retention.holds.column.due"),
          ]}
          acts={t("retention.column.actions")}
        >
          {data.items.map((held) => (
            <Row key={held.session} held={held} onRelease={() => setReleasing(held)} />
          ))}
        </Table>
      )}
      {data && (after || data.next) && (
        <Pager
          first={after ? () => setAfter("") : null}
          next={data.next ? () => setAfter(data.next) : null}
          words={{ first: t("retention.holds.first"), next: t("retention.holds.more") }}
        />
      )}
      {releasing && (
        <Release
          held={releasing}
          every={every}
          onClose={() => setReleasing(null)}
          onDone={() => {
            onDone(t("retention.released", { id: `…${tailOf(releasing.session)}` }));
            setReleasing(null);
            setAfter("");
          }}
        />
      )}
    </Section>
  );
}

function Row({ held, onRelease }: { held: HeldSession; onRelease: () => void }) {
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <Link to="/console/sessions/$id" params={{ id: held.session }} className={cell.link} title={held.session}>
          …{tailOf(held.session)}
        </Link>{" "}
        <span className={cell.code}>{t(`mode.${held.mode}`)}</span>
      </th>
      <td className={css.why}>{held.reason}</td>
      <td>
        <span className={css.hold}>
          {held.name || t(held.set_by.startsWith("user:") ? "retention.holds.unknown" : "actor.api_key")}
          <span>
            <Time iso={held.set_at} />
          </span>
        </span>
      </td>
      <td className={cell.quiet}>{dueWords(held)}</td>
      <td>
        <div className={cell.actions}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t("retention.release_of", { id: `…${tailOf(held.session)}` })}
            onClick={onRelease}
          >
            {t("retention.release")}
          </Button>
        </div>
      </td>
    </tr>
  );
}

function dueWords(held: HeldSession): string {
  const { pictures_until, report_until } = held;
  switch (holdDue(held)) {
    case "unfinished":
      return t("retention.holds.unfinished");
    case "overdue":
      return t("retention.holds.overdue");
    default:
      return pictures_until && pictures_until !== report_until
        ? t("retention.holds.pictures_due", { when: ago(pictures_until) })
        : t("retention.holds.due", { when: ago(report_until ?? "") });
  }
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Says what follows from a release before it is done: what is overdue goes with the next run. */
function Release({
  held,
  every,
  onClose,
  onDone,
}: {
  held: HeldSession;
  every: number;
  onClose: () => void;
  onDone: () => void;
}) {
  const due = holdDue(held);
  const when = { pictures: held.pictures_until, overdue: held.report_until, later: held.report_until }[
    due === "unfinished" ? "later" : due
  ];
  const release = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/v1/console/sessions/{id}/lift-hold", { params: { path: { id: held.session } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["retention"] });
      void client.invalidateQueries({ queryKey: ["session", held.session] });
      onDone();
    },
  });
  return (
    <Sheet size="lg" title={t("retention.release.title")} onClose={onClose}>
      <div className={css.form}>
        <p>{t("retention.release.session", { id: held.session })}</p>
        <blockquote className={css.quote}>{held.reason}</blockquote>
        <p>
          <strong>
            {t(`retention.release.${due}`, {
              when: when ? ago(when) : "",
              later: held.report_until ? capital(ago(held.report_until)) : "",
              n: every,
            })}
          </strong>
        </p>
        <ErrorMessage error={release.error} />
        <div className={css.acts}>
          <Button color="red.9" loading={release.isPending} onClick={() => release.mutate()}>
            {t("retention.release.now")}
          </Button>
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("retention.release.keep")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

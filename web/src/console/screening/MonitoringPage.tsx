import { Button } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ScreeningRun } from "../../api/wire.ts";
import { count } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Lists.module.css";
import { ListsNotice } from "./ListsNotice.tsx";
import { calls, screeningQueries } from "./queries.ts";

/** Who is screened again as the lists change, and how that goes. */
export function MonitoringPage() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(screeningQueries.monitoring);
  const [asking, setAsking] = useState(false);
  const running = data?.runs.some(({ kind, state }) => kind === "everybody" && state === "running") ?? false;
  return (
    <Page
      title={t("monitoring.title")}
      lead={t("monitoring.lead")}
      actions={
        <Link to="/console/settings/watchlists" className={css.link}>
          {t("lists.title")}
        </Link>
      }
    >
      <ListsNotice me={me} />
      <ErrorMessage error={error} />
      {data && (
        <>
          <dl className={css.figures}>
            <div>
              <dt>{t("monitoring.monitored")}</dt>
              <dd>{count(data.monitored)}</dd>
            </div>
            <div>
              <dt>{t("monitoring.unscreened")}</dt>
              <dd>{count(data.unscreened)}</dd>
            </div>
          </dl>
          {me.may.includes("watchlists.write") && data.unscreened > 0 && (
            <div>
              <Button variant="default" disabled={running} onClick={() => setAsking(true)}>
                {t("monitoring.everybody")}
              </Button>
            </div>
          )}
          <Section title={t("monitoring.runs")}>
            {data.runs.length === 0 ? <p className={css.soft}>{t("monitoring.none")}</p> : <Runs runs={data.runs} />}
          </Section>
        </>
      )}
      {asking && <Everybody n={data?.unscreened ?? 0} onClose={() => setAsking(false)} />}
    </Page>
  );
}

function Runs({ runs }: { runs: readonly ScreeningRun[] }) {
  return (
    <Table
      caption={t("monitoring.runs")}
      columns={[
        t("monitoring.column.what"),
        t("monitoring.column.state"),
        t("monitoring.column.people"),
        t("monitoring.column.hits"),
        t("monitoring.column.started"),
      ]}
    >
      {runs.map((run) => (
        <tr key={run.id} className={cell.row}>
          <th scope="row" className={cell.first}>
            {t(`monitoring.kind.${run.kind}`)}
          </th>
          <td>
            <State shape={run.state === "running" ? "running" : run.failed > 0 ? "unsure" : "pass"}>
              {run.state === "running"
                ? t("monitoring.progress", { done: count(run.done), of: count(Math.max(run.people, run.done)) })
                : run.failed > 0
                  ? t("monitoring.failed", { n: run.failed })
                  : t("monitoring.ended")}
            </State>
          </td>
          <td data-label={t("monitoring.column.people")}>{count(run.done)}</td>
          <td data-label={t("monitoring.column.hits")}>{count(run.hits)}</td>
          <td>
            <Time iso={run.started_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Everybody({ n, onClose }: { n: number; onClose: () => void }) {
  const send = useMutation({ mutationFn: calls.everybody, onSuccess: onClose });
  return (
    <Sheet title={t("monitoring.everybody")} onClose={onClose}>
      <div className={css.form}>
        <p>{t("monitoring.everybody.text", { n: count(n) })}</p>
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button loading={send.isPending} onClick={() => send.mutate()}>
            {t("monitoring.everybody.start")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

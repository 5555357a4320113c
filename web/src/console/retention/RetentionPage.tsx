import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Retention as Kept, RetentionRun, RetentionVersion } from "../../api/wire.ts";
import { Notice } from "../developers/Notice.tsx";
import { count } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { type Deed, Done, Page, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { Change } from "./Change.tsx";
import { Holds } from "./Holds.tsx";
import { retentionQueries } from "./queries.ts";
import css from "./Retention.module.css";
import { boundsOf, erasedBy, isLate, type Kind, keptOf, kinds, spanOf } from "./retention.ts";

/** How long data is kept, what is erased next, and what is held back from it. */
export function RetentionPage() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(retentionQueries.retention);
  const [changing, setChanging] = useState<Kind | null>(null);
  const [done, setDone] = useState<Deed | null>(null);
  return (
    <Page title={t("retention.title")} lead={t("retention.lead")}>
      <ErrorMessage error={error} />
      <Done deed={done} />
      {data && (
        <>
          <Job data={data} />
          <Kinds data={data} onChange={setChanging} />
          {me.may.includes("audit.read") && (
            <p className={css.soft}>
              <Link to="/console/settings/audit" search={{ action: "retention.changed" }}>
                {t("retention.log")}
              </Link>
            </p>
          )}
          <Due data={data} />
          <Versions versions={data.workflows} />
          <Holds every={data.every_minutes} onDone={(text) => setDone({ text })} />
        </>
      )}
      {data && changing && (
        <Change
          data={data}
          kind={changing}
          onClose={() => setChanging(null)}
          onDone={(text) => {
            setDone({ text });
            setChanging(null);
          }}
        />
      )}
    </Page>
  );
}

/** Says when nothing is erased although it should be. */
function Job({ data }: { data: Kept }) {
  if (isLate(data))
    return <Notice title={t("retention.run.late")}>{t("retention.run.late.text", { n: data.every_minutes })}</Notice>;
  if (data.last_run?.failed) return <Notice title={t("retention.run.failed")}>{t("retention.run.failed.text")}</Notice>;
  return null;
}

function Kinds({ data, onChange }: { data: Kept; onChange: (kind: Kind) => void }) {
  return (
    <Section title={t("retention.kinds")}>
      <p className={css.soft}>{t("retention.kinds.lead")}</p>
      <Table
        caption={t("retention.kinds")}
        columns={[t("retention.column.kind"), t("retention.column.kept")]}
        acts={t("retention.column.actions")}
      >
        {kinds.map((kind) => {
          const { most } = boundsOf(data, kind);
          const kept = keptOf(data, kind);
          return (
            <tr key={kind} className={cell.row}>
              <th scope="row">
                <span className={css.kind}>
                  <strong>{t(`retention.${kind}`)}</strong>
                  <span>{t(`retention.${kind}.means`)}</span>
                </span>
              </th>
              <td className={css.kept}>
                {spanOf(kept)}
                <span>{kept === most ? t("retention.default") : t("retention.set", { span: spanOf(most) })}</span>
              </td>
              <td>
                <div className={cell.actions}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t("retention.change_of", { kind: t(`retention.${kind}`) })}
                    onClick={() => onChange(kind)}
                  >
                    {t("retention.change")}
                  </Button>
                </div>
              </td>
            </tr>
          );
        })}
      </Table>
    </Section>
  );
}

function Due({ data }: { data: Kept }) {
  const columns = [t("retention.due.next"), t("retention.due.week"), t("retention.due.month")];
  const none = data.due.every(({ month }) => month === 0);
  return (
    <Section title={t("retention.due")}>
      {none ? (
        <p className={css.soft}>{t("retention.due.none")}</p>
      ) : (
        <Table caption={t("retention.due")} columns={[t("retention.column.kind"), ...columns]}>
          {data.due.map(({ kind, next, week, month }) => (
            <tr key={kind} className={cell.row}>
              <th scope="row" className={cell.first}>
                {t(`retention.due.${kind}`)}
              </th>
              <td data-label={columns[0]}>{count(next)}</td>
              <td data-label={columns[1]}>{count(week)}</td>
              <td data-label={columns[2]}>{count(month)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Runs data={data} />
    </Section>
  );
}

function Runs({ data: { last_run, last_erased, every_minutes, held } }: { data: Kept }) {
  return (
    <div className={css.runs}>
      {!last_run && <p>{t("retention.run.never")}</p>}
      {last_run && (
        <p>
          {t("retention.run.last")} <Time iso={last_run.ended_at} />
          {!last_run.failed && `: ${didOf(last_run)}`}. {t("retention.run.each", { n: every_minutes })}
        </p>
      )}
      <p>
        {last_erased ? (
          <>
            {t("retention.run.erased")} <Time iso={last_erased.ended_at} />: <strong>{erasedBy(last_erased)}</strong>.
          </>
        ) : (
          t("retention.run.never_erased")
        )}
      </p>
      {held > 0 && <p>{t("retention.due.held", { n: held })}</p>}
    </div>
  );
}

function didOf(run: RetentionRun): string {
  const what = erasedBy(run);
  return what ? t("retention.run.did", { what }) : t("retention.run.nothing");
}

function Versions({ versions }: { versions: readonly RetentionVersion[] }) {
  return (
    <Section title={t("retention.workflows")}>
      {versions.length === 0 ? (
        <p className={css.soft}>{t("retention.workflows.none")}</p>
      ) : (
        <Table
          caption={t("retention.workflows")}
          columns={[
            t("retention.workflows.column.version"),
            t("retention.workflows.column.mode"),
            t("retention.workflows.column.state"),
            t("retention.pictures"),
            t("retention.report"),
          ]}
        >
          {versions.map((one) => (
            <Version key={one.id} one={one} />
          ))}
        </Table>
      )}
    </Section>
  );
}

function Version({ one }: { one: RetentionVersion }) {
  return (
    <tr className={cell.row} data-out={one.state !== "published"}>
      <th scope="row" className={cell.first}>
        <Link
          to="/console/workflows/$id"
          params={{ id: one.workflow }}
          search={{ version: one.id }}
          className={cell.link}
        >
          {t("retention.workflows.version", { name: one.name, n: one.number })}
        </Link>
      </th>
      <td>{t(`mode.${one.mode}`)}</td>
      <td>
        <State shape={one.state === "published" ? "pass" : "idle"}>{t(`workflow.state.${one.state}`)}</State>
      </td>
      <td data-label={t("retention.pictures")}>{saysOf(one.pictures_hours, one.kept_pictures_hours)}</td>
      <td data-label={t("retention.report")}>{saysOf(one.report_hours, one.kept_report_hours)}</td>
    </tr>
  );
}

/** What holds for a version's sessions, and whether the version says so. */
function saysOf(own: number, kept: number): string {
  if (own === 0) return t("retention.workflows.follows", { span: spanOf(kept) });
  if (own > kept) return t("retention.workflows.capped", { span: spanOf(kept), own: spanOf(own) });
  return t("retention.workflows.own", { span: spanOf(kept) });
}

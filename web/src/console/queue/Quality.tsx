import { Button, Textarea } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Me, QualityReview } from "../../api/wire.ts";
import { Reasons } from "../cases/Reasons.tsx";
import { count, part } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { type Deed, Done, Empty, Page } from "../parts/Page.tsx";
import { useReasons } from "../parts/reasons.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { qualityTabs } from "./filter.ts";
import css from "./Queue.module.css";
import { reviewCalls, reviewQueries } from "./queries.ts";

/** Approvals that were drawn for a second look, and how often it disagreed. */
export function Quality() {
  const { mode = "test", tab = "open" } = useSearch({ from: "/console/quality" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery({
    ...reviewQueries.quality(mode, tab === "done"),
    placeholderData: keepPreviousData,
  });
  const [looking, setLooking] = useState<QualityReview | null>(null);
  const [deed, setDeed] = useState<Deed | null>(null);
  const looked = (data?.agreed ?? 0) + (data?.disagreed ?? 0);
  return (
    <Page title={t("quality.title")} lead={t("quality.text")}>
      {data && (
        <dl className={css.figures}>
          <div className={css.figure}>
            <dt>{t("quality.waiting")}</dt>
            <dd>
              <strong>{count(data.waiting)}</strong>
            </dd>
          </div>
          <div className={css.figure}>
            <dt>{t("quality.rate")}</dt>
            <dd>
              <strong>{part(data.disagreed, looked)}</strong>
              <span>
                {looked > 0
                  ? t("quality.rate_of", { disagreed: count(data.disagreed), n: count(looked) })
                  : t("quality.rate_none")}
              </span>
            </dd>
          </div>
        </dl>
      )}
      <nav className={css.tabs} aria-label={t("quality.tabs")}>
        {qualityTabs.map((one) => (
          <Link
            key={one}
            to="/console/quality"
            search={{ ...(mode === "live" ? { mode } : {}), ...(one === "done" ? { tab: one } : {}) }}
            className={css.tab}
            data-active={one === tab}
            aria-current={one === tab ? "page" : undefined}
          >
            {t(`quality.${one}`)}
          </Link>
        ))}
      </nav>
      <Done deed={deed} />
      <ErrorMessage error={error} />
      {data && data.items.length === 0 && (
        <Empty title={t(`quality.empty.${tab}.title`)} text={t(`quality.empty.${tab}`)} />
      )}
      {data && data.items.length > 0 && <Looks items={data.items} me={me} onLook={setLooking} />}
      {looking && (
        <Look
          one={looking}
          onClose={() => setLooking(null)}
          onDone={() => {
            setLooking(null);
            setDeed({ text: t("quality.after") });
          }}
        />
      )}
    </Page>
  );
}

const nameOf = (one: QualityReview): string => one.session.external_reference || shortId(one.session.id);

function Looks({ items, me, onLook }: { items: QualityReview[]; me: Me; onLook: (one: QualityReview) => void }) {
  const { name: title } = useReasons();
  const columns = [
    t("quality.column.reference"),
    t("quality.column.by"),
    t("quality.column.workflow"),
    t("quality.column.drawn"),
    t("quality.column.verdict"),
  ];
  return (
    <Table caption={t("quality.table")} columns={columns}>
      {items.map((one) => (
        <tr key={one.session.id} className={cell.row}>
          <th scope="row" className={cell.first}>
            <Link to="/console/sessions/$id" params={{ id: one.session.id }} className={cell.pair}>
              <span data-empty={!one.session.external_reference}>
                {one.session.external_reference || t("sessions.no_reference")}
              </span>
              <code className={cell.code}>{shortId(one.session.id)}</code>
            </Link>
          </th>
          <td className={cell.plain} data-label={columns[1]}>
            {one.decided_by ? one.decided_by.name || t("case.somebody") : t("quality.policy")}
          </td>
          <td className={cell.plain}>
            {one.workflow.name} {one.workflow.number}
          </td>
          <td className={cell.quiet} data-label={columns[3]}>
            <Time iso={one.drawn_at} />
          </td>
          <td className={cell.plain}>
            {one.verdict ? (
              <State shape={one.verdict === "agree" ? "pass" : "fail"}>
                {[
                  t(one.verdict === "agree" ? "quality.agreed" : "quality.disagreed"),
                  one.by?.name,
                  ...one.reasons.map(title),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </State>
            ) : one.decided_by?.id === me.id ? (
              <span className={css.quiet}>{t("quality.own")}</span>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${t("quality.look")} ${nameOf(one)}`}
                onClick={() => onLook(one)}
              >
                {t("quality.look")}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Look({ one, onClose, onDone }: { one: QualityReview; onClose: () => void; onDone: () => void }) {
  const [doubting, setDoubting] = useState(false);
  const [reasons, setReasons] = useState<string[]>([]);
  const [note, setNote] = useState("");
  const settle = useMutation({
    mutationFn: (verdict: "agree" | "disagree") =>
      reviewCalls.settle(one.session.id, verdict, verdict === "disagree" ? reasons : [], note.trim()),
    onSuccess: onDone,
  });
  return (
    <Sheet onClose={onClose} title={t("quality.sheet", { reference: nameOf(one) })} size="lg">
      <div className={css.form}>
        <p className={css.quiet}>{t("quality.sheet_text")}</p>
        <p>
          <a href={`/console/sessions/${one.session.id}`} target="_blank" rel="noreferrer">
            {t("quality.open_session")}
          </a>
        </p>
        {doubting && <Reasons referred={[]} chosen={reasons} onChosen={setReasons} />}
        <Textarea
          label={t("quality.note")}
          value={note}
          maxLength={2000}
          autosize
          minRows={2}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ErrorMessage error={settle.error} />
        <div className={css.acts}>
          {!doubting && (
            <Button loading={settle.isPending} onClick={() => settle.mutate("agree")}>
              {t("quality.agree")}
            </Button>
          )}
          <Button
            variant={doubting ? "filled" : "default"}
            loading={settle.isPending}
            disabled={doubting && reasons.length === 0}
            onClick={() => (doubting ? settle.mutate("disagree") : setDoubting(true))}
          >
            {t("quality.disagree")}
          </Button>
          {doubting && reasons.length === 0 && <span className={css.quiet}>{t("quality.disagree_hint")}</span>}
        </div>
      </div>
    </Sheet>
  );
}

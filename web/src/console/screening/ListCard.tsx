import { Button, FileButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Watchlist, WatchlistVersion } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { count } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { labelOf, t } from "../words.ts";
import { Difference } from "./Difference.tsx";
import css from "./Lists.module.css";
import { calls } from "./queries.ts";
import { ListForm } from "./Settings.tsx";

const shapes: Record<Watchlist["state"], Shape> = {
  current: "pass",
  old: "unsure",
  held: "refer",
  empty: "idle",
  disabled: "idle",
};

/** One list: its state, its terms, how it is fetched, and its versions. */
export function ListCard({
  list,
  writes,
  onDone,
}: {
  list: Watchlist;
  writes: boolean;
  onDone: (text: string) => void;
}) {
  const id = useId();
  const [changing, setChanging] = useState(false);
  const upload = useMutation({
    mutationFn: (file: File) => calls.upload(list.id, file),
    onSuccess: (v) => onDone(t(`lists.came.${v.state}`, { title: list.title, n: count(v.entries) })),
  });
  const fetch = useMutation({
    mutationFn: () => calls.fetch(list.id),
    onSuccess: () => onDone(t("lists.fetching", { title: list.title })),
  });
  return (
    <section className={css.list} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{list.title}</h2>
        <State shape={shapes[list.state]}>{t(`lists.state.${list.state}`)}</State>
      </header>
      <p className={css.soft}>
        <code>{list.name}</code> · {list.topics.map((topic) => t(`topic.${topic}`)).join(", ")}
        {list.as_of && (
          <>
            {" "}
            · {t("lists.as_of")} <Time iso={list.as_of} />
          </>
        )}
        {list.max_age_hours ? ` · ${t("lists.max_age", { n: Math.round(list.max_age_hours / 24) })}` : ""}
      </p>
      <Terms list={list} />
      <Fetching list={list} />
      {writes && (
        <div className={css.acts}>
          <FileButton onChange={(file) => file && upload.mutate(file)}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" loading={upload.isPending}>
                {t("lists.upload")}
              </Button>
            )}
          </FileButton>
          {list.source && (
            <Button size="compact-sm" variant="default" loading={fetch.isPending} onClick={() => fetch.mutate()}>
              {t("lists.fetch")}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setChanging(true)}>
            {t("lists.settings")}
          </Button>
        </div>
      )}
      <ErrorMessage error={upload.error ?? fetch.error} />
      {list.versions.length > 0 && <Versions list={list} writes={writes} onDone={onDone} />}
      {changing && (
        <ListForm
          list={list}
          onClose={() => setChanging(false)}
          onDone={(text) => {
            setChanging(false);
            onDone(text);
          }}
        />
      )}
    </section>
  );
}

/** Who publishes the list, and on which terms. */
function Terms({ list: { origin, licence } }: { list: Watchlist }) {
  const terms = licence || origin.licence;
  if (!origin.publisher && !terms) return null;
  return (
    <p className={css.soft}>
      {origin.publisher} {terms && `· ${t("lists.licence", { terms })}`}
    </p>
  );
}

function Fetching({ list }: { list: Watchlist }) {
  if (!list.source) return <p className={css.soft}>{t("lists.by_hand")}</p>;
  return (
    <p className={css.soft}>
      {t("lists.source")} <span className={css.address}>{list.source}</span>
      {list.last_fetch && (
        <>
          {" "}
          · {t("lists.last_fetch")} <Time iso={list.last_fetch} />
        </>
      )}
      {list.next_fetch && !list.disabled && (
        <>
          {" "}
          · {t("lists.next_fetch")} <Time iso={list.next_fetch} />
        </>
      )}
      {list.fault && <strong className={css.fault}> {t(`lists.fault.${list.fault}`, { n: list.fails })}</strong>}
    </p>
  );
}

const looks: Record<WatchlistVersion["state"], Shape> = {
  importing: "running",
  held: "refer",
  waiting: "refer",
  active: "pass",
  retired: "idle",
  failed: "fail",
};

function Versions({ list, writes, onDone }: { list: Watchlist; writes: boolean; onDone: (text: string) => void }) {
  const [looking, setLooking] = useState<WatchlistVersion | null>(null);
  return (
    <>
      <Table
        caption={t("lists.versions", { title: list.title })}
        columns={[
          t("lists.column.state"),
          t("lists.column.added"),
          t("lists.column.size"),
          t("lists.column.changes"),
          t("lists.column.digest"),
        ]}
        acts={t("lists.column.actions")}
      >
        {list.versions.map((one) => (
          <tr key={one.id} className={cell.row} data-out={one.state === "retired" || one.state === "failed"}>
            <th scope="row" className={cell.first}>
              <State shape={looks[one.state]}>{t(`lists.version.${one.state}`)}</State>
              {one.state === "held" && (
                <span className={css.why}>{one.why.map((why) => labelOf("lists.why", why)).join(" ")}</span>
              )}
            </th>
            <td>
              <Time iso={one.added_at} />
              {one.published_at && (
                <span className={css.why}>{t("lists.published", { day: one.published_at.slice(0, 10) })}</span>
              )}
            </td>
            <td className={css.size} data-label={t("lists.column.size")}>
              {t("lists.size", { entries: count(one.entries), people: count(one.people) })}
              {one.rejected > 0 && <span className={css.why}>{t("lists.rejected", { n: count(one.rejected) })}</span>}
              {one.rejected_rows.length > 0 && (
                <span className={css.why}>
                  {t(one.rejected > one.rejected_rows.length ? "lists.rejected_first" : "lists.rejected_rows", {
                    rows: one.rejected_rows.join(", "),
                  })}
                </span>
              )}
            </td>
            <td data-label={t("lists.column.changes")}>
              +{count(one.added)} ~{count(one.changed)} −{count(one.removed)}
            </td>
            <td data-label={t("lists.column.digest")}>
              <code title={one.sha256}>{one.sha256.slice(0, 10)}</code>
            </td>
            <td>
              <div className={cell.actions}>
                {one.entries > 0 && (
                  <Button size="compact-sm" variant="default" onClick={() => setLooking(one)}>
                    {t(one.state === "active" || !writes ? "lists.look" : "lists.look_and_use")}
                  </Button>
                )}
                {one.entries === 0 && one.state === "held" && writes && (
                  <Dismiss version={one.id} onDone={() => onDone(t("lists.dismissed"))} />
                )}
              </div>
            </td>
          </tr>
        ))}
      </Table>
      {looking && (
        <Difference
          list={list}
          version={looking}
          writes={writes}
          onClose={() => setLooking(null)}
          onDone={(text) => {
            setLooking(null);
            onDone(text);
          }}
        />
      )}
    </>
  );
}

function Dismiss({ version, onDone }: { version: string; onDone: () => void }) {
  const send = useMutation({ mutationFn: () => calls.dismiss(version), onSuccess: onDone });
  return (
    <Button size="compact-sm" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      {t("lists.dismiss")}
    </Button>
  );
}

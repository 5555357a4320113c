import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { BlockEntry } from "../../api/wire.ts";
import { Notice } from "../developers/Notice.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { type Deed, Done, Empty, Page, Pager, Section } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { labelOf, t } from "../words.ts";
import { BlockForm } from "./BlockForm.tsx";
import { SeenFaces } from "./Faces.tsx";
import { seenCalls, seenQueries } from "./queries.ts";
import css from "./Seen.module.css";

/** What nobody is approved with unseen, and from which networks sessions are not counted. */
export function BlockListPage() {
  const search = useSearch({ from: "/console/blocklist" });
  const navigate = useNavigate();
  const mode = search.mode ?? "test";
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(seenQueries.blocked(mode, search.after));
  const [adding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<Deed | null>(null);
  const writes = me.may.includes("blocklist.write");
  const to = (after?: string) => {
    const { after: _, ...rest } = search;
    void navigate({ to: "/console/blocklist", search: { ...rest, ...(after ? { after } : {}) } });
  };
  return (
    <Page
      title={t("block.title")}
      lead={t("block.lead")}
      actions={
        <>
          <Link to="/console/duplicates" search={mode === "live" ? { mode } : {}} className={css.link}>
            {t("duplicates.title")}
          </Link>
          {writes && <Button onClick={() => setAdding(true)}>{t("block.add")}</Button>}
        </>
      }
    >
      <ErrorMessage error={error} />
      <Done deed={done} />
      {data && data.unwatched.length > 0 && (
        <Notice title={t("block.unwatched")}>
          {t("block.unwatched.text", { workflows: data.unwatched.join(", ") })}
        </Notice>
      )}
      {data && data.faceless.length > 0 && data.items.some(({ kind }) => kind === "face") && (
        <Notice title={t("block.faceless")}>{t("block.faceless.text", { workflows: data.faceless.join(", ") })}</Notice>
      )}
      {data && data.items.length === 0 && <Empty title={t("block.empty")} text={t("block.empty.text")} />}
      {data && data.items.length > 0 && (
        <>
          <Entries items={data.items} writes={writes} pictures={me.may.includes("evidence.read")} onAsk={setAsked} />
          <Pager first={search.after ? () => to() : null} next={data.next ? () => to(data.next) : null} />
        </>
      )}
      {me.may.includes("workflows.read") && <Networks writes={me.may.includes("workflows.publish")} />}
      {adding && (
        <BlockForm
          mode={mode}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            setDone({ text: t("block.added") });
          }}
        />
      )}
      {asked && (
        <Ask
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={(text) => {
            setAsked(null);
            setDone({ text });
          }}
        />
      )}
    </Page>
  );
}

type Asked = { entry: BlockEntry; act: "confirm" | "remove" };

const shapes = { active: "refer", awaits_second: "unsure", expired: "idle", removed: "idle" } as const;

function Entries({
  items,
  writes,
  pictures,
  onAsk,
}: {
  items: readonly BlockEntry[];
  writes: boolean;
  /** Whether who looks may see pictures. */
  pictures: boolean;
  onAsk: (asked: Asked) => void;
}) {
  return (
    <Table
      caption={t("block.title")}
      columns={[
        t("block.column.what"),
        t("block.column.state"),
        t("block.column.reason"),
        t("block.column.until"),
        t("block.column.session"),
      ]}
      acts={writes ? t("block.column.acts") : undefined}
    >
      {items.map((one) => {
        const inForce = one.state === "active" || one.state === "awaits_second";
        return (
          <tr key={one.id} className={cell.row}>
            <th scope="row" className={cell.first}>
              {t(`block.kind.${one.kind}`)} {one.hint && <span className={css.soft}>{one.hint}</span>}
              {one.kind === "face" && one.session && pictures && <Face session={one.session} />}
            </th>
            <td>
              <State shape={shapes[one.state]}>{t(`block.state.${one.state}`)}</State>
              <span className={cell.under}>
                {t(one.declines && one.confirmed_by ? "block.effect.declines" : "block.effect.refers")}
              </span>
            </td>
            <td data-label={t("block.column.reason")}>{labelOf("block.reason", one.reason)}</td>
            <td data-label={t("block.column.until")}>
              <Time iso={one.valid_until} />
            </td>
            <td data-label={t("block.column.session")}>
              {one.session ? (
                <Link to="/console/sessions/$id" params={{ id: one.session }} className={css.id}>
                  {shortId(one.session)}
                </Link>
              ) : (
                "–"
              )}
            </td>
            {writes && (
              <td>
                <div className={cell.actions}>
                  {one.state === "awaits_second" && (
                    <Button size="compact-sm" variant="default" onClick={() => onAsk({ entry: one, act: "confirm" })}>
                      {t("block.confirm")}
                    </Button>
                  )}
                  {inForce && (
                    <Button size="compact-sm" variant="default" onClick={() => onAsk({ entry: one, act: "remove" })}>
                      {t("block.remove")}
                    </Button>
                  )}
                </div>
              </td>
            )}
          </tr>
        );
      })}
    </Table>
  );
}

/** The face that an entry is about, as its session shows it. A look is on record, so it is shown on request. */
function Face({ session }: { session: string }) {
  const [open, setOpen] = useState(false);
  const name = t(open ? "block.hide_face" : "block.show_face");
  return (
    <div className={css.listed}>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={open}
        aria-label={t("link.act", { act: name, pair: shortId(session) })}
        onClick={() => setOpen(!open)}
      >
        {name}
      </Button>
      {open && <SeenFaces ids={[session]} />}
    </div>
  );
}

/** Asks before an entry is confirmed or removed. */
function Ask({ asked, onClose, onDone }: { asked: Asked; onClose: () => void; onDone: (text: string) => void }) {
  const { entry, act } = asked;
  const send = useMutation({
    mutationFn: () => seenCalls[act](entry.id),
    onSuccess: () => onDone(t(`block.${act}.done`)),
  });
  return (
    <Sheet title={t(`block.${act}`)} onClose={onClose}>
      <div className={css.form}>
        <p>{t(act === "remove" && entry.kind === "face" ? "block.remove.text_face" : `block.${act}.text`)}</p>
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button loading={send.isPending} onClick={() => send.mutate()}>
            {t(`block.${act}`)}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

/** Places of one's own, where many people use one address. */
function Networks({ writes }: { writes: boolean }) {
  const { data, error } = useQuery(seenQueries.networks);
  const [text, setText] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: (ranges: string[]) => seenCalls.allow(ranges),
    onSuccess: () => setText(null),
  });
  return (
    <Section title={t("networks.title")}>
      <ErrorMessage error={error} />
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== null) send.mutate(text.split(/[\s,]+/).filter(Boolean));
        }}
      >
        <Textarea
          label={t("networks.ranges")}
          description={t("networks.hint")}
          autosize
          minRows={2}
          readOnly={!writes}
          value={text ?? data?.ranges.join("\n") ?? ""}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorMessage error={send.error} />
        {writes && (
          <div className={css.acts}>
            <Button type="submit" variant="default" loading={send.isPending} disabled={text === null}>
              {t("networks.save")}
            </Button>
          </div>
        )}
        {send.isSuccess && text === null && <p role="status">{t("networks.saved")}</p>}
      </form>
    </Section>
  );
}

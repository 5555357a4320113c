import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { DuplicateCluster, DuplicateClusters, DuplicateLink } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Empty, Page } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import { DecideButtons, Decided, signsOf } from "./Decide.tsx";
import { SeenFaces } from "./Faces.tsx";
import { seenQueries } from "./queries.ts";
import css from "./Seen.module.css";

/** Groups of sessions that look like duplicates, the newest first. */
export function DuplicatesPage() {
  const { mode = "test" } = useSearch({ from: "/console/duplicates" });
  const { data, error } = useQuery(seenQueries.duplicates(mode));
  const { data: me } = useSuspenseQuery(queries.me);
  return (
    <Page
      title={t("duplicates.title")}
      lead={t("duplicates.lead")}
      actions={
        me.may.includes("blocklist.read") && (
          <Link to="/console/blocklist" search={mode === "live" ? { mode } : {}} className={css.link}>
            {t("block.title")}
          </Link>
        )
      }
    >
      <ErrorMessage error={error} />
      {data?.galleries?.map((gallery) => (
        <GalleryLine key={gallery.name} gallery={gallery} />
      ))}
      {data?.items.length === 0 && <Empty title={t("duplicates.empty")} text={t("duplicates.empty.text")} />}
      <div className={css.clusters}>
        {data?.items.map((one) => (
          <Cluster
            key={one.sessions[0]?.id ?? one.found_at}
            cluster={one}
            faces={me.may.includes("evidence.read")}
            reasons={me.may.includes("cases.decide") ? data.reasons : []}
          />
        ))}
      </div>
    </Page>
  );
}

/** How many faces a gallery holds, and among how many one counts by itself where a search may find a stranger once in a hundred. */
function GalleryLine({ gallery: { name, faces, state, why, memory_bytes, carries } }: { gallery: Gallery }) {
  const one = carries.find(({ fpir }) => fpir === "1e-2");
  return (
    <p className={css.soft}>
      <State shape={galleryShapes[state]}>{t(`seen.gallery.state.${state}`)}</State>{" "}
      {t("seen.gallery.kept", { n: faces, name })}{" "}
      {memory_bytes > 0 && t("seen.gallery.memory", { n: mebibytes(memory_bytes) })}{" "}
      {why && t(`seen.gallery.why.${why}`)}{" "}
      {one && one.alone > 0 && t("seen.gallery.alone", { from: one.alone.toFixed(2) })}{" "}
      {one && one.faces > 0 && t("seen.gallery.carries", { n: one.faces })}
    </p>
  );
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

const galleryShapes: Record<Gallery["state"], Shape> = { ready: "pass", loading: "refer", not_ready: "fail" };

type Gallery = NonNullable<DuplicateClusters["galleries"]>[number];

/** The sessions of one group, and what each shares with the others. */
function Cluster({
  cluster,
  faces,
  reasons,
}: {
  cluster: DuplicateCluster;
  faces: boolean;
  /** Why two are not the same person; empty for members who may not decide. */
  reasons: readonly string[];
}) {
  const [open, setOpen] = useState(false);
  const { sessions, links } = cluster;
  const shared = (id: string): string => {
    const mine = links.filter((link) => link.from === id || link.to === id);
    const words = mine.flatMap((link) => [
      ...link.same.map((by) => labelOf("seen.same", by)),
      ...(link.face ? [t(`seen.face.${link.face}`)] : []),
    ]);
    return [...new Set(words)].join(" · ");
  };
  return (
    <section className={css.cluster}>
      <div className={css.head}>
        <h2>{t("duplicates.group", { n: sessions.length })}</h2>
        <span className={css.soft}>
          <Time iso={cluster.found_at} />
        </span>
      </div>
      <Table
        caption={t("duplicates.group", { n: sessions.length })}
        columns={[
          t("duplicates.column.session"),
          t("duplicates.column.state"),
          t("duplicates.column.document"),
          t("duplicates.column.shares"),
          t("duplicates.column.created"),
        ]}
      >
        {sessions.map((one) => (
          <tr key={one.id} className={cell.row}>
            <th scope="row" className={cell.first}>
              <Link to="/console/sessions/$id" params={{ id: one.id }} className={css.id}>
                {shortId(one.id)}
              </Link>
            </th>
            <td>
              <State shape={sessionLooks[one.state].shape}>{t(sessionLooks[one.state].word)}</State>
            </td>
            <td data-label={t("duplicates.column.document")}>
              {one.document_kind ? labelOf("kind", one.document_kind) : "–"}
            </td>
            <td data-label={t("duplicates.column.shares")} className={css.wide}>
              {shared(one.id)}
            </td>
            <td>
              <Time iso={one.created_at} />
            </td>
          </tr>
        ))}
      </Table>
      <Pairs links={links} reasons={reasons} />
      {faces && (
        <div className={css.acts}>
          <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? "seen.hide_faces" : "seen.show_faces")}
          </Button>
        </div>
      )}
      {open && <SeenFaces ids={sessions.slice(0, 12).map(({ id }) => id)} />}
    </section>
  );
}

/** Each two sessions of a group that share something, and what reviewers said of them. */
function Pairs({ links, reasons }: { links: readonly DuplicateLink[]; reasons: readonly string[] }) {
  return (
    <>
      <h3 className={css.pairs}>{t("duplicates.pairs")}</h3>
      <ul className={css.list}>
        {links.map(({ from, to, signs, decided }) => (
          <li key={`${from} ${to}`} className={css.one}>
            <strong>{t("link.between", { one: shortId(from), other: shortId(to) })}</strong>
            <span className={css.soft}>{signsOf(signs)}</span>
            <Decided of={decided} />
            {reasons.length > 0 && (
              <div className={css.acts}>
                <DecideButtons pair={{ session: from, other: to, signs, decided }} reasons={reasons} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

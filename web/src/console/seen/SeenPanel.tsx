import { Button } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { SeenSession, SessionFile } from "../../api/wire.ts";
import { checksOf } from "../evidence/file.ts";
import { countryName } from "../parts/country.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Panel } from "../parts/Panel.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { sessionLooks } from "../states.ts";
import { has, labelOf, t, words } from "../words.ts";
import { BlockForm } from "./BlockForm.tsx";
import { DecideButtons, Decided } from "./Decide.tsx";
import { SeenFaces } from "./Faces.tsx";
import { seenQueries } from "./queries.ts";
import css from "./Seen.module.css";

/** What was seen before: other sessions of the document or person, the block list, and how many there were. Nothing where the workflow does not look. */
export function SeenPanel({ file }: { file: SessionFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const { session } = file;
  const may = me.may.includes("cases.read");
  const { data, error } = useQuery({ ...seenQueries.ofSession(session.id), enabled: may });
  const [blocking, setBlocking] = useState(false);
  const [said, setSaid] = useState("");
  const looked = checksOf(file).flatMap(({ finding }) => (finding?.seen ? [finding.seen] : []));
  if (looked.length === 0 && !data?.items.length) return null;
  const blocked = looked.flatMap(({ entries }) => entries ?? []);
  const searched = looked.find(({ gallery }) => gallery)?.gallery;
  const origin = looked.find(({ origin }) => origin)?.origin;
  const counts = looked.find(({ velocity }) => velocity)?.velocity;
  return (
    <Panel title={t("seen.title")}>
      <div className={css.panel}>
        <ErrorMessage error={error} />
        {data?.items.length === 0 && <p>{t("seen.nobody")}</p>}
        {data && data.items.length > 0 && (
          <ul className={css.list}>
            {data.items.map((one) => (
              <Other
                key={one.id}
                one={one}
                session={session.id}
                faces={me.may.includes("evidence.read")}
                reasons={me.may.includes("cases.decide") ? data.reasons : []}
              />
            ))}
          </ul>
        )}
        {blocked.length > 0 && (
          <p>
            {t("seen.blocked", { kinds: blocked.map(({ kind }) => t(`block.kind.${kind}`)).join(", ") })}{" "}
            <Link to="/console/blocklist" search={session.mode === "live" ? { mode: "live" } : {}} className={css.link}>
              {t("block.title")}
            </Link>
          </p>
        )}
        {counts && (
          <p className={css.soft}>
            {counts.allowed
              ? t("seen.velocity.allowed")
              : counts.known
                ? t("seen.velocity.address", { hour: counts.address_hour, day: counts.address_day })
                : t("seen.velocity.unknown")}{" "}
            {t("seen.velocity", { document: counts.document, person: counts.person, reference: counts.reference })}
          </p>
        )}
        {origin && <Origin of={origin} />}
        {searched && <Searched of={searched} />}
        {said && <p role="status">{said}</p>}
        {me.may.includes("blocklist.write") && (
          <div className={css.acts}>
            <Button variant="default" size="xs" onClick={() => setBlocking(true)}>
              {t("block.add_session")}
            </Button>
          </div>
        )}
      </div>
      {blocking && (
        <BlockForm
          mode={session.mode}
          session={session.id}
          onClose={() => setBlocking(false)}
          onDone={() => {
            setBlocking(false);
            setSaid(t("block.added"));
          }}
        />
      )}
    </Panel>
  );
}

type Seen = NonNullable<NonNullable<ReturnType<typeof checksOf>[number]["finding"]>["seen"]>;
type Search = Seen["gallery"];

/** From which country and kind of network the session was opened, and why either is not known. */
function Origin({ of }: { of: NonNullable<Seen["origin"]> }) {
  const gaps = of.gaps ?? {};
  const ordinary = !of.hosting && !of.anonymous && !gaps.kind;
  const where = [
    of.country && countryName(of.country),
    of.asn && t("seen.origin.asn", { asn: String(of.asn) }),
    of.hosting && t("seen.origin.hosting"),
    of.anonymous && t("seen.origin.anonymous"),
    ordinary && t("seen.origin.ordinary"),
  ].filter(Boolean);
  return (
    <p className={css.soft}>
      {where.length > 0 && t("seen.origin", { where: where.join(", ") })}{" "}
      {gaps.country && t("seen.origin.gap.country", { why: labelOf("seen.origin.why", gaps.country) })}{" "}
      {gaps.kind && t("seen.origin.gap.kind", { why: labelOf("seen.origin.why", gaps.kind) })}
    </p>
  );
}

/** Among how many faces this one was searched, from which similarity one counts, and how many strangers such a search finds. */
function Searched({ of }: { of: NonNullable<Search> }) {
  const fault = of.fault && `seen.gallery.fault.${of.fault}`;
  const from = of.alone || of.beside;
  return (
    <p className={css.soft}>
      {from
        ? t("seen.gallery", { n: of.faces, from: from.toFixed(2), missed: words.percent(of.fnmr) })
        : of.faces > 0 && t("seen.gallery.faces", { n: of.faces })}{" "}
      {of.strangers > 0 && t("seen.gallery.strangers", { n: Math.max(1, Math.round(1 / of.strangers)) })}{" "}
      {fault && has(fault) && t(fault, { n: of.most_alone })}
    </p>
  );
}

/** Another session, and what of it is the same. */
function Other({
  one,
  session,
  faces,
  reasons,
}: {
  one: SeenSession;
  session: string;
  faces: boolean;
  /** Why two are not the same person; empty for members who may not decide. */
  reasons: readonly string[];
}) {
  const [open, setOpen] = useState(false);
  const look = sessionLooks[one.state];
  return (
    <li className={css.one}>
      {one.erased ? (
        <span>{t("seen.erased")}</span>
      ) : (
        <Link to="/console/sessions/$id" params={{ id: one.id }} className={css.link}>
          {one.external_reference || shortId(one.id)}
        </Link>
      )}
      <State shape={look.shape}>{t(look.word)}</State>
      <span className={css.soft}>
        <Time iso={one.created_at} />
      </span>
      <span className={css.why}>
        <strong>{one.same.map((by) => labelOf("seen.same", by)).join(" · ")}</strong>
        {one.face && ` · ${t(`seen.face.${one.face}`)}`}
        {!(one.facts === "same" && one.same.includes("person")) && ` · ${t(`seen.facts.${one.facts}`)}`}
        {one.same_reference && ` · ${t("seen.same_reference")}`}
      </span>
      <Decided of={one.decided} />
      {!one.erased && (
        <div className={css.acts}>
          {faces && (
            <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t(open ? "seen.hide_faces" : "seen.show_faces")}
            </Button>
          )}
          {reasons.length > 0 && one.signs.length > 0 && (
            <DecideButtons
              pair={{ session, other: one.id, signs: one.signs, decided: one.decided }}
              reasons={reasons}
            />
          )}
        </div>
      )}
      {open && <SeenFaces ids={[session, one.id]} />}
    </li>
  );
}

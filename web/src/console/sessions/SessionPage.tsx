import { CopyButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Refused } from "../../api/failure.ts";
import { follow } from "../../api/sse.ts";
import type { SessionFile } from "../../api/wire.ts";
import { CaseActs } from "../cases/CaseActs.tsx";
import { WalletPanel } from "../credentials/WalletPanel.tsx";
import { Failure, NotFound } from "../parts/Failure.tsx";
import { Masked } from "../parts/Masked.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import { sessionLooks } from "../states.ts";
import { labelOf, t } from "../words.ts";
import { CaseFile } from "./CaseFile.tsx";
import { Checks } from "./Checks.tsx";
import { ChipPanel } from "./ChipPanel.tsx";
import type { Correcting } from "./Correct.tsx";
import { DataRetention } from "./DataRetention.tsx";
import { DecisionCard } from "./DecisionCard.tsx";
import { Evidence, type Look } from "./Evidence.tsx";
import { Faces } from "./Faces.tsx";
import { Facts } from "./Facts.tsx";
import { checksOf, type Place } from "./file.ts";
import { NewLink } from "./NewLink.tsx";
import css from "./SessionPage.module.css";
import { whereOf } from "./signals.ts";
import { Timeline } from "./Timeline.tsx";
import { Verified } from "./Verified.tsx";

/** Reads the session again whenever the server says that something happened to it. */
export function useFollowing(id: string): boolean {
  const [alive, setAlive] = useState(true);
  useEffect(
    () =>
      follow(`/v1/console/events?session=${encodeURIComponent(id)}`, {
        onEvent: () => void client.invalidateQueries({ queryKey: ["session", id] }),
        refused: () => setAlive(false),
        alive: setAlive,
      }),
    [id],
  );
  return alive;
}

/** One session on one screen: evidence on the left; decision, facts and checks on the right. */
export function SessionPage() {
  const { id } = useParams({ from: "/console/sessions/$id" });
  const { data: file, error } = useQuery(queries.session(id));
  const alive = useFollowing(id);
  if (error instanceof Refused && error.problem.status === 404) return <NotFound />;
  if (error && !file) return <Failure error={error} />;
  if (!file) return <p className={css.quiet}>{t("app.loading")}</p>;
  return <Shown file={file} alive={alive} />;
}

/** A link to the session that the person began, or came from, with another document; nothing where there is none. */
function Other({ id, word }: { id: string | null; word: "session.follows" | "session.followed_by" }) {
  if (!id) return null;
  return (
    <Link to="/console/sessions/$id" params={{ id }} className={css.other}>
      {t(word)}
    </Link>
  );
}

/** The page itself. A case is the same page, reached from the queue, with what decides it below. */
export function Shown({
  file,
  alive,
  crumbs,
  bar,
  correcting,
}: {
  file: SessionFile;
  alive: boolean;
  crumbs?: ReactNode;
  bar?: ReactNode;
  correcting?: Correcting;
}) {
  const { session } = file;
  const [place, setPlace] = useState<Place | null>(null);
  const [asked, setAsked] = useState<Look | null>(null);
  const look = sessionLooks[session.state];
  const name = session.external_reference || t("session.title");

  useEffect(() => {
    document.title = `${name} · ${t("app.name")}`;
  }, [name]);

  return (
    <div className={css.page}>
      <header className={css.header}>
        <nav aria-label="Breadcrumb" className={css.crumbs}>
          {crumbs ?? (
            <Link to="/console/sessions" search={session.mode === "live" ? { mode: "live" } : {}}>
              {t("sessions.title")}
            </Link>
          )}
          <span aria-hidden="true">/</span>
        </nav>
        <h1 className={css.title}>{name}</h1>
        <State shape={look.shape} filled>
          {t(look.word)}
        </State>
        <span className={css.facts}>
          {session.document_kind && <span>{labelOf("kind", session.document_kind)}</span>}
          <span>{t(session.mode === "test" ? "mode.test" : "mode.live")}</span>
          {session.persona && <span>{t("session.persona", { name: session.persona })}</span>}
          <Time iso={session.created_at} />
          <Other id={session.follows} word="session.follows" />
          <Other id={session.followed_by} word="session.followed_by" />
          <CopyButton value={session.id}>
            {({ copied, copy }) => (
              <button type="button" className={css.id} onClick={copy} title={`${t("app.copy")} ${session.id}`}>
                <span className="visually-hidden">{t("session.id")} </span>
                <code>{session.id}</code>
                <span aria-live="polite">{copied ? ` ${t("app.copied")}` : ""}</span>
              </button>
            )}
          </CopyButton>
        </span>
        <span className={css.live} data-alive={alive} role="status">
          {t(alive ? "session.live" : "session.not_live")}
        </span>
      </header>
      <Masked />
      <div className={css.columns}>
        <div className={css.left}>
          {session.erased_at ? <DataRetention file={file} /> : <Evidence file={file} place={place} look={asked} />}
          {!session.erased_at && <Faces file={file} />}
          {!session.erased_at && <ChipPanel file={file} />}
          {!session.erased_at && <WalletPanel file={file} />}
          <Timeline events={file.timeline} reviews={file.reviews} />
        </div>
        <div className={css.right}>
          <DecisionCard file={file} />
          {!bar && <CaseActs file={file} />}
          {!session.erased_at && (
            <>
              <Checks checks={checksOf(file)} whereOf={(check) => whereOf(file, check)} onLook={setAsked} />
              <Verified file={file} />
              <Facts file={file} place={place} onPlace={setPlace} correcting={correcting} />
              <NewLink file={file} />
              <DataRetention file={file} />
            </>
          )}
          <CaseFile file={file} />
        </div>
      </div>
      {bar}
    </div>
  );
}

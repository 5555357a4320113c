import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Refused } from "../../api/failure.ts";
import { follow } from "../../api/sse.ts";
import type { SessionFile } from "../../api/wire.ts";
import { CaseActs } from "../cases/CaseActs.tsx";
import { WalletPanel } from "../credentials/WalletPanel.tsx";
import { ChipPanel } from "../evidence/ChipPanel.tsx";
import type { Correcting } from "../evidence/Correct.tsx";
import { Evidence, type Look } from "../evidence/Evidence.tsx";
import { Faces } from "../evidence/Faces.tsx";
import { Facts } from "../evidence/Facts.tsx";
import { checksOf, type Place } from "../evidence/file.ts";
import { whereOf } from "../evidence/signals.ts";
import { Verified } from "../evidence/Verified.tsx";
import { Failure, NotFound } from "../parts/Failure.tsx";
import { Masked } from "../parts/Masked.tsx";
import { client, queries } from "../queries.ts";
import { ScreeningPanel } from "../screening/ScreeningPanel.tsx";
import { SeenPanel } from "../seen/SeenPanel.tsx";
import { t } from "../words.ts";
import { CaseFile } from "./CaseFile.tsx";
import { Checks } from "./Checks.tsx";
import { DataRetention } from "./DataRetention.tsx";
import { DecisionCard } from "./DecisionCard.tsx";
import { Head } from "./Head.tsx";
import { NewLink } from "./NewLink.tsx";
import { Related } from "./Related.tsx";
import css from "./SessionPage.module.css";
import { Timeline } from "./Timeline.tsx";

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

/** One session on one screen: the decision and the checks first, then the evidence and the facts, then what they come to and what happened. */
export function SessionPage() {
  const { id } = useParams({ from: "/console/sessions/$id" });
  const { data: file, error } = useQuery(queries.session(id));
  const alive = useFollowing(id);
  if (error instanceof Refused && error.problem.status === 404) return <NotFound />;
  if (error && !file) return <Failure error={error} />;
  if (!file) return <p className={css.quiet}>{t("app.loading")}</p>;
  return <Shown file={file} alive={alive} />;
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
  const erased = Boolean(session.erased_at);
  return (
    <div className={css.page}>
      <Head file={file} alive={alive} crumbs={crumbs} />
      <Masked />
      <div className={css.columns}>
        <div className={css.verdict}>
          <DecisionCard file={file} acts={bar ? null : <CaseActs file={file} />} />
          {!erased && <Checks checks={checksOf(file)} whereOf={(check) => whereOf(file, check)} onLook={setAsked} />}
        </div>
        <div className={css.evidence}>
          {erased ? (
            <DataRetention file={file} />
          ) : (
            <>
              <Evidence file={file} place={place} look={asked} />
              <Faces file={file} />
              <ChipPanel file={file} />
              <WalletPanel file={file} />
              <ScreeningPanel file={file} />
              <SeenPanel file={file} />
              <Facts file={file} place={place} onPlace={setPlace} correcting={correcting} />
            </>
          )}
        </div>
        <div className={css.rest}>
          {!erased && <Verified file={file} />}
          <Related sessions={file.related} />
          <Timeline events={file.timeline} reviews={file.reviews} members={file.members} />
          {!erased && <NewLink file={file} />}
          {!erased && <DataRetention file={file} />}
          <CaseFile file={file} />
        </div>
      </div>
      {bar}
    </div>
  );
}

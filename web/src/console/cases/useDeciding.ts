import { useState } from "react";
import { Refused } from "../../api/failure.ts";
import type { CaseFile, Me, Review } from "../../api/wire.ts";
import { sentenceOf } from "../parts/Failure.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import { calls, caseQueries, type Redo, type Ruling, refresh } from "./queries.ts";
import { useDelay } from "./useDelay.ts";

/** What waits to be sent: a ruling, or a step to ask for again. */
export type Sending = Ruling | Redo;

export const outcomeOf = (what: Sending): "approved" | "declined" | "reopened" =>
  "step" in what ? "reopened" : what.outcome;

/** Returns a sentence that says who acted on a case first, and how. */
function happened(now: CaseFile, me: Me): string {
  const { case: one } = now;
  const last: Review | undefined = now.reviews.filter((review) => review.case === one.id).at(-1);
  const name = (member: { id: string; name: string }) =>
    member.id === me.id ? t("case.you") : member.name || t("case.somebody");
  if (one.state === "claimed" && one.assignee && one.assignee.id !== me.id)
    return t("case.conflict.held", { name: name(one.assignee) });
  if (!last) return t("case.conflict.closed");
  return t(`case.conflict.${last.kind}`, { name: name(last.by), note: last.note });
}

/** The acts of a reviewer on one case: decisions wait a moment, a conflict is told, and nothing is overwritten. */
export function useDeciding(found: CaseFile, me: Me) {
  const { id, session, version, report_digest } = found.case;
  const [conflict, setConflict] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await act();
    } catch (failure) {
      if (failure instanceof Refused && failure.problem.code === "case.conflict") {
        const now = await client.fetchQuery({ ...caseQueries.one(id), staleTime: 0 }).catch(() => null);
        setConflict(now ? happened(now, me) : sentenceOf(failure.problem));
      } else setError(failure);
    } finally {
      setBusy(false);
      refresh(id, session.id);
    }
  };

  const basis = { version, report_digest };
  const delay = useDelay<{ what: Sending; basis: typeof basis }>(
    ({ what, basis: seen }) =>
      void run(() => ("step" in what ? calls.redo(id, seen, what) : calls.decide(id, seen, what))),
  );
  return {
    conflict,
    understood: () => setConflict(null),
    error,
    busy,
    waiting: delay.waiting ? { what: delay.waiting.what.what, left: delay.waiting.left } : null,
    // What was on the screen when the key was pressed is what was decided, whatever comes in while it waits.
    settle: (what: Sending) => delay.start({ what, basis }),
    undo: delay.undo,
    flush: delay.flush,
    claim: () => void run(() => calls.claim(id)),
    release: () => void run(() => calls.release(id)),
    note: (words: string) => void run(() => calls.note(id, words)),
  };
}

import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { CaseFile, Me, Member } from "../../api/wire.ts";
import { State } from "../parts/State.tsx";
import { decisionLooks } from "../states.ts";
import { t, words } from "../words.ts";
import css from "./DecisionBar.module.css";
import { outcomeOf, type Sending } from "./useDeciding.ts";

/** What is about to be sent, and the way back. */
export function Waiting({ waiting, onUndo }: { waiting: { what: Sending; left: number }; onUndo: () => void }) {
  const outcome = outcomeOf(waiting.what);
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => undo.current?.focus({ preventScroll: true }), []); // the page stays where it is
  return (
    <>
      <State shape={decisionLooks[outcome].shape} filled>
        {t(`case.sending.${outcome}`, { n: waiting.left })}
      </State>
      <Button
        variant="default"
        ref={undo}
        className={css.act}
        aria-keyshortcuts="U"
        onClick={onUndo}
        rightSection={<kbd className={css.key}>U</kbd>}
      >
        {t("case.undo")}
      </Button>
    </>
  );
}

const clock = (iso: string): string =>
  new Intl.DateTimeFormat(words.locale, { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));

const nameFor = (me: Me) => (member: Member) =>
  member.id === me.id ? t("case.you") : member.name || t("case.somebody");

/** Returns one line that says who has a case and what it waits for. */
export function statusOf(found: CaseFile, me: Me): string {
  const { case: one } = found;
  const name = nameFor(me);
  if (one.state === "closed") {
    const last = found.reviews
      .filter(({ case: of, kind }) => of === one.id && !["noted", "corrected"].includes(kind))
      .at(-1);
    return last && last.kind !== "noted" && last.kind !== "corrected"
      ? t(`case.done.${last.kind}`, { name: name(last.by) })
      : t("case.done.closed");
  }
  const two = one.approved_by
    ? one.approved_by.id === me.id
      ? t("case.first_of_two")
      : t("case.status.first", { name: name(one.approved_by) })
    : one.two_persons
      ? t("case.status.two")
      : "";
  const time = one.claimed_until ? clock(one.claimed_until) : "";
  const who = !one.assignee
    ? t("case.status.open")
    : one.assignee.id === me.id
      ? t("case.status.yours", { time })
      : t("case.status.held", { name: name(one.assignee), time });
  return two ? `${who} ${two}` : who;
}

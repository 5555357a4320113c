import { Button, NativeSelect, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { LinkDecided, LinkDecision, SeenSign } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { shortId } from "../parts/ids.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import { Time } from "../parts/Time.tsx";
import { labelOf, t } from "../words.ts";
import { type Pair, seenCalls } from "./queries.ts";
import css from "./Seen.module.css";

type What = LinkDecision["decision"];

const shapes: Record<LinkDecided["state"], Shape> = {
  open: "refer",
  unsure: "unsure",
  awaits_second: "refer",
  not_the_same: "idle",
  same_person: "idle",
};

/** What was decided about two sessions. Nothing where nobody said anything. */
export function Decided({ of }: { of: LinkDecided }) {
  if (of.state === "open" && !of.returned) return null;
  return (
    <span className={css.decided}>
      <State shape={shapes[of.state]}>{t(`link.state.${of.state}`)}</State>
      <span className={css.soft}>
        {of.returned && `${t("link.returned")} `}
        {of.state === "awaits_second" && `${t("link.awaits_second")} `}
        {of.reason && `${labelOf("link.reason", of.reason)}. `}
        {of.note && <q>{of.note}</q>} {of.decided_at && <Time iso={of.decided_at} />}
      </span>
    </span>
  );
}

/** What can be said: of what is decided, only that it is undone. */
function offered({ state }: LinkDecided): What[] {
  switch (state) {
    case "not_the_same":
    case "same_person":
      return ["open"];
    case "open":
      return ["not_the_same", "same_person", "unsure"];
    default:
      return ["not_the_same", "same_person", "unsure", "open"];
  }
}

/** The buttons with which a reviewer decides, and the form that each opens. */
export function Decide({ pair, reasons }: { pair: Pair; reasons: readonly string[] }) {
  const [what, setWhat] = useState<What | null>(null);
  const both = t("link.between", { one: shortId(pair.session), other: shortId(pair.other) });
  const word = (act: What): string => {
    if (act === "open") return t("link.undo");
    return t(act === "same_person" && pair.decided.state === "awaits_second" ? "link.confirm" : `link.${act}`);
  };
  return (
    <>
      {offered(pair.decided).map((act) => (
        <Button
          key={act}
          size="compact-sm"
          variant="default"
          aria-label={t("link.act", { act: word(act), pair: both })}
          onClick={() => setWhat(act)}
        >
          {word(act)}
        </Button>
      ))}
      {what && <Form pair={pair} what={what} both={both} reasons={reasons} onClose={() => setWhat(null)} />}
    </>
  );
}

/** The form of one decision. */
function Form({
  pair,
  what,
  both,
  reasons,
  onClose,
}: {
  pair: Pair;
  what: What;
  both: string;
  reasons: readonly string[];
  onClose: () => void;
}) {
  const [reason, setReason] = useState(likely(pair.signs, reasons));
  const [note, setNote] = useState("");
  const not = what === "not_the_same";
  const send = useMutation({
    mutationFn: () => seenCalls.decide(pair, { decision: what, reason: not ? reason : "", note: note.trim() }),
    onSuccess: onClose,
  });
  return (
    <Sheet title={t(`link.decide.${what}`)} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <p>
          <strong>{both}</strong>: {signsOf(pair.signs)}
        </p>
        <p className={css.soft}>{t(`link.decide.${what}.text`)}</p>
        {not && (
          <NativeSelect
            label={t("hit.decide.reason")}
            data={reasons.map((value) => ({ value, label: labelOf("link.reason", value) }))}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Textarea
          label={t("hit.decide.note")}
          autosize
          minRows={2}
          maxLength={2000}
          required={not && reason === "other"}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button type="submit" loading={send.isPending}>
            {t(what === "open" ? "link.undo" : "hit.decide.send")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

const wordOf = (sign: SeenSign): string => {
  if (sign === "other_face") return t("seen.face.other");
  return sign === "other_facts" ? t("seen.facts.differ") : t(`seen.same.${sign}`);
};

/** The signs in words: first what is the same, then what differs. */
export const signsOf = (signs: readonly SeenSign[]): string => signs.map(wordOf).join(" · ");

/** The reason that the signs themselves suggest. */
function likely(signs: readonly SeenSign[], reasons: readonly string[]): string {
  const guess = signs.includes("other_face") ? "other_face" : signs.includes("person") ? "namesake" : "relative";
  return reasons.includes(guess) ? guess : (reasons[0] ?? "");
}

import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Hit } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Hit.module.css";
import { calls, type Decision, refreshHits } from "./queries.ts";

type What = Decision["decision"];

/** The buttons with which a reviewer decides a hit, and the form that each opens. */
export function Decide({ hit, reasons, keys = false }: { hit: Hit; reasons: readonly string[]; keys?: boolean }) {
  const [what, setWhat] = useState<What | null>(null);
  const second = hit.state === "awaits_second";
  const key = (name: string) => (keys ? <kbd className={css.key}>{name}</kbd> : undefined);
  return (
    <>
      <Button size="compact-sm" variant="default" rightSection={key("N")} onClick={() => setWhat("not_the_person")}>
        {t("hit.not")}
      </Button>
      <Button size="compact-sm" variant="default" rightSection={key("Y")} onClick={() => setWhat("is_the_person")}>
        {t(second ? "hit.confirm" : "hit.is")}
      </Button>
      <Button size="compact-sm" variant="default" rightSection={key("U")} onClick={() => setWhat("unsure")}>
        {t("hit.unsure")}
      </Button>
      {what && <DecideHit hit={hit} what={what} reasons={reasons} onClose={() => setWhat(null)} />}
    </>
  );
}

/** The form of one decision. */
export function DecideHit({
  hit,
  what,
  reasons,
  onClose,
}: {
  hit: Hit;
  what: What;
  reasons: readonly string[];
  onClose: () => void;
}) {
  const [reason, setReason] = useState(likely(hit, reasons));
  const [note, setNote] = useState("");
  const [until, setUntil] = useState("");
  const not = what === "not_the_person";
  const send = useMutation({
    mutationFn: () =>
      calls.decide(hit, {
        decision: what,
        reason: not ? reason : "",
        note: note.trim(),
        valid_until: not ? until : "",
      }),
    onSettled: () => refreshHits(hit.session),
    onSuccess: onClose,
  });
  return (
    <Sheet title={t(`hit.decide.${what}`)} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <p className={css.soft}>{t(`hit.decide.${what}.text`)}</p>
        {not && (
          <>
            <NativeSelect
              label={t("hit.decide.reason")}
              data={reasons.map((value) => ({ value, label: labelOf("hit.reason", value) }))}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={t("hit.decide.until")}
              description={t("hit.decide.until_hint")}
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          </>
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
            {t("hit.decide.send")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

/** The reason that the comparison itself suggests. */
function likely({ found }: Hit, reasons: readonly string[]): string {
  const guess =
    found.birth === "conflict"
      ? "other_birth"
      : found.sex === "differs"
        ? "other_sex"
        : found.nationality === "differs"
          ? "other_nationality"
          : "other_name";
  return reasons.includes(guess) ? guess : (reasons[0] ?? "");
}

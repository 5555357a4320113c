import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { t } from "../words.ts";
import css from "./Decide.module.css";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Sheet } from "./Sheet.tsx";

/** Something that a reviewer can say of a matter. */
export type Act<What extends string> = { what: What; word: string; label?: string; key?: string };

/** The buttons with which a reviewer decides, and the form that each opens. */
export function Decide<What extends string>({
  acts,
  form,
}: {
  acts: readonly Act<What>[];
  form: (what: What, onClose: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState<What | null>(null);
  return (
    <>
      {acts.map(({ what, word, label, key }) => (
        <Button
          key={what}
          size="compact-sm"
          variant="default"
          {...(label ? { "aria-label": label } : {})}
          rightSection={key ? <kbd className={css.key}>{key}</kbd> : undefined}
          onClick={() => setOpen(what)}
        >
          {word}
        </Button>
      ))}
      {open && form(open, () => setOpen(null))}
    </>
  );
}

/** Why something is decided: what can be chosen, in words, and what the matter itself suggests. */
export type Reasons = { all: readonly string[]; word: (reason: string) => string; likely: string };

/** What a reviewer filled in; empty where the form does not ask for it. */
export type Filled = { reason: string; note: string; until: string };

/** The form of one decision. */
export function DecisionForm({
  title,
  about,
  text,
  word,
  reasons,
  until = false,
  send,
  onClose,
}: {
  title: string;
  /** What it is about, where the page does not say so. */
  about?: ReactNode;
  text: string;
  /** The word on the button that sends it. */
  word: string;
  reasons?: Reasons | undefined;
  /** Whether the decision can run out. */
  until?: boolean;
  send: (said: Filled) => Promise<unknown>;
  onClose: () => void;
}) {
  const first = reasons?.all.includes(reasons.likely) ? reasons.likely : (reasons?.all[0] ?? "");
  const [reason, setReason] = useState(first);
  const [note, setNote] = useState("");
  const [day, setDay] = useState("");
  const sending = useMutation({
    mutationFn: () => send({ reason, note: note.trim(), until: day }),
    onSuccess: onClose,
  });
  return (
    <Sheet title={title} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          sending.mutate();
        }}
      >
        {about && <p>{about}</p>}
        <p className={css.soft}>{text}</p>
        {reasons && (
          <NativeSelect
            label={t("decide.reason")}
            data={reasons.all.map((value) => ({ value, label: reasons.word(value) }))}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        {until && (
          <TextInput
            type="date"
            label={t("decide.until")}
            description={t("decide.until_hint")}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        )}
        <Textarea
          label={t("decide.note")}
          autosize
          minRows={2}
          maxLength={2000}
          required={reason === "other"}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <ErrorMessage error={sending.error} />
        <div className={css.acts}>
          <Button type="submit" loading={sending.isPending}>
            {word}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("retention.cancel")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

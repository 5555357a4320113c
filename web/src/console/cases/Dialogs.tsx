import { Button, NativeSelect, Radio, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { ProblemRow } from "../../api/wire.ts";
import { nameOf } from "../parts/reasons.ts";
import { Sheet } from "../parts/Sheet.tsx";
import { queries } from "../queries.ts";
import { labelOf, t } from "../words.ts";
import css from "./Dialogs.module.css";
import { Offered } from "./Offered.tsx";
import type { Redo, Ruling } from "./queries.ts";
import { Reasons } from "./Reasons.tsx";

type Closing = { onClose: () => void };

/** A dialog with one button; Ctrl or ⌘ and Enter press it from anywhere in it. */
export function Dialog({
  title,
  submit,
  blocked,
  onSubmit,
  onClose,
  children,
}: Closing & { title: string; submit: string; blocked?: string; onSubmit: () => void; children: ReactNode }) {
  const [tried, setTried] = useState(false);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (!blocked) onSubmit();
  };
  return (
    <Sheet onClose={onClose} title={title} size="lg">
      <form
        className={css.form}
        onSubmit={send}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        }}
      >
        {children}
        {tried && blocked && (
          <p className={css.blocked} role="alert">
            {blocked}
          </p>
        )}
        <Button type="submit">{submit}</Button>
      </form>
    </Sheet>
  );
}

/** A note for the team. */
export function NoteField({
  value,
  onValue,
  focus = false,
}: {
  value: string;
  onValue: (text: string) => void;
  focus?: boolean;
}) {
  return (
    <Textarea
      {...(focus ? { "data-autofocus": true } : {})}
      label={t("note.label")}
      description={t("note.hint")}
      rows={3}
      maxLength={2000}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}

export function Decline({
  referred,
  chooses,
  onDecline,
  onClose,
}: Closing & { referred: readonly string[]; chooses: boolean; onDecline: (ruling: Ruling) => void }) {
  const [reasons, setReasons] = useState<string[]>([]);
  const [note, setNote] = useState("");
  const [choosing, setChoosing] = useState(false);
  if (choosing) return <Offered onClose={() => setChoosing(false)} />;
  return (
    <Dialog
      title={t("decline.title")}
      submit={t("decline.submit")}
      {...(reasons.length === 0 ? { blocked: t("decline.needs_reason") } : {})}
      onSubmit={() => onDecline({ outcome: "declined", reasons, note })}
      onClose={onClose}
    >
      <Reasons referred={referred} chosen={reasons} onChosen={setReasons} />
      <p className={css.quiet}>
        {t("decline.hint")}{" "}
        {chooses && (
          <Button variant="subtle" size="compact-sm" onClick={() => setChoosing(true)}>
            {t("decline.choose")}
          </Button>
        )}
      </p>
      <NoteField value={note} onValue={setNote} />
    </Dialog>
  );
}

/** What can be told to an applicant: what a better picture can mend. */
const tellable = (row: ProblemRow) => row.severity === "retry" && row.reader === "applicant";

export function AskAgain({
  steps,
  onAsk,
  onClose,
}: Closing & { steps: readonly Redo["step"][]; onAsk: (redo: Redo) => void }) {
  const { data: catalogue } = useQuery(queries.catalogue);
  const [step, setStep] = useState<Redo["step"] | undefined>(steps[0]);
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  return (
    <Dialog
      title={t("redo.title")}
      submit={t("redo.submit")}
      onSubmit={() => {
        if (step) onAsk({ step, reason, note });
      }}
      onClose={onClose}
    >
      <p className={css.quiet}>{t("redo.text")}</p>
      <Radio.Group
        label={t("redo.step")}
        value={step ?? ""}
        onChange={(value) => setStep(steps.find((one) => one === value))}
      >
        <div className={css.steps}>
          {steps.map((one, i) => (
            <Radio
              key={one}
              value={one}
              label={labelOf("evidence", one)}
              {...(i === 0 ? { "data-autofocus": true } : {})}
            />
          ))}
        </div>
      </Radio.Group>
      <NativeSelect
        label={t("redo.reason")}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data={[
          { value: "", label: t("redo.no_reason") },
          ...[...(catalogue?.values() ?? [])]
            .filter(tellable)
            .map((row) => ({ value: row.code, label: nameOf(row.code, row.title) })),
        ]}
      />
      <NoteField value={note} onValue={setNote} />
    </Dialog>
  );
}

export function WriteNote({ onNote, onClose }: Closing & { onNote: (note: string) => void }) {
  const [note, setNote] = useState("");
  return (
    <Dialog
      title={t("note.title")}
      submit={t("note.submit")}
      onSubmit={() => {
        if (note.trim()) onNote(note);
      }}
      onClose={onClose}
    >
      <NoteField focus value={note} onValue={setNote} />
    </Dialog>
  );
}

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { labelOf, t } from "../words.ts";
import css from "./Correct.module.css";
import { dates, states } from "./file.ts";

/** How a reviewer corrects facts from this page. */
export type Correcting = {
  /** Why they cannot now; null if they can. */
  blocked: string | null;
  /** Rejects where the server refuses it. */
  send: (correction: { name: string; value: string; note: string }) => Promise<unknown>;
};

const hintOf = (name: string): string => {
  if (dates.includes(name)) return t("correct.date");
  if (states.includes(name)) return t("correct.state");
  return name === "sex" ? t("correct.sex") : "";
};

/** States a fact anew, in place. Escape leaves it as it is. `names` are the facts to choose from. */
export function Correct({
  names,
  value: was,
  onSend,
  onClose,
}: {
  names: readonly string[];
  value: string;
  onSend: Correcting["send"];
  onClose: (done: string | null) => void;
}) {
  const [name, setName] = useState(names[0] ?? "");
  const [value, setValue] = useState(was);
  const [note, setNote] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => form.current?.querySelector<HTMLElement>("select, input")?.focus(), []);

  const missing = !value.trim() || value.trim() === was || !note.trim();
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing || busy) return;
    setBusy(true);
    setError(null);
    onSend({ name, value, note }).then(
      () => onClose(name),
      (failure: unknown) => {
        setError(failure);
        setBusy(false);
      },
    );
  };
  const label = t("correct.title", { fact: labelOf("fact", name) });
  return (
    <form
      ref={form}
      className={css.form}
      aria-label={label}
      onSubmit={send}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose(null);
      }}
    >
      {names.length > 1 && (
        <NativeSelect
          label={t("correct.fact")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data={names.map((one) => ({ value: one, label: labelOf("fact", one) }))}
        />
      )}
      <TextInput
        label={t("correct.value")}
        description={hintOf(name) || undefined}
        value={value}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <TextInput
        label={t("correct.note")}
        description={t("correct.hint")}
        value={note}
        maxLength={2000}
        autoComplete="off"
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {tried && missing && (
        <p className={css.needs} role="alert">
          {t("correct.needs")}
        </p>
      )}
      <ErrorMessage error={error} />
      <div className={css.acts}>
        <Button type="submit" size="compact-md" loading={busy}>
          {t("correct.submit")}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => onClose(null)}>
          {t("correct.cancel")}
        </Button>
      </div>
    </form>
  );
}

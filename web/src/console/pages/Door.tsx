import { Button } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect } from "react";
import { Mark } from "../../ui/Mark.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import css from "./Door.module.css";

/** The frame of the pages before the console: setup, sign-in and taking up an invitation. */
export function Door({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Bonafide`;
  }, [title]);
  return (
    <main className={css.door}>
      <div className={css.card}>
        <span className={css.mark}>
          <Mark size={36} />
        </span>
        <h1 className={css.title}>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}

/** The form of such a page: why it was refused, its fields, one button. */
export function DoorForm({
  error,
  submit,
  busy,
  onSubmit,
  children,
}: {
  error: unknown;
  submit: string;
  busy: boolean;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  return (
    <form className={css.form} onSubmit={onSubmit}>
      <ErrorMessage error={error} />
      {children}
      <Button type="submit" size="md" loading={busy}>
        {submit}
      </Button>
    </form>
  );
}

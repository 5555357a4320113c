import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionFile } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { State } from "../parts/State.tsx";
import { client } from "../queries.ts";
import { decisionLooks } from "../states.ts";
import { t } from "../words.ts";
import css from "./Dialogs.module.css";
import { Dialog, NoteField } from "./Dialogs.tsx";
import { calls, type Ruling } from "./queries.ts";
import { Reasons } from "./Reasons.tsx";

/** A later decision on a session that has a final one: it is added and counts. */
export function Change({ file, onClose }: { file: SessionFile; onClose: () => void }) {
  const newest = file.decisions[0];
  const outcome = newest?.outcome === "approved" ? "declined" : "approved";
  const [reasons, setReasons] = useState<string[]>([]);
  const [note, setNote] = useState("");
  const change = useMutation({
    mutationFn: (ruling: Ruling) => calls.change(file.session.id, newest?.id ?? "", ruling),
    onSuccess: onClose,
    onSettled: () => void client.invalidateQueries({ queryKey: ["session", file.session.id] }),
  });
  const needs = outcome === "declined" && reasons.length === 0;
  return (
    <Dialog
      title={t("change.title")}
      submit={t("change.submit")}
      {...(needs ? { blocked: t("decline.needs_reason") } : {})}
      onSubmit={() => change.mutate({ outcome, reasons, note })}
      onClose={onClose}
    >
      <p className={css.quiet}>{t("change.text")}</p>
      <ErrorMessage error={change.error} />
      <p className={css.steps}>
        {t("change.outcome")}
        <State shape={decisionLooks[outcome].shape} filled>
          {t(decisionLooks[outcome].word)}
        </State>
      </p>
      {outcome === "declined" && <Reasons referred={[]} chosen={reasons} onChosen={setReasons} />}
      <NoteField value={note} onValue={setNote} />
    </Dialog>
  );
}

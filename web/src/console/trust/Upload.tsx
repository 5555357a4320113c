import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { t } from "../words.ts";
import { Chooser, type Purpose, PurposeFields } from "./File.tsx";
import { calls, stale } from "./queries.ts";
import css from "./Trust.module.css";

/** Uploads a certificate or a list. It is verified at once and waits; what it changes is shown next. */
export function Upload({ mode, onClose, onDone }: { mode: Mode; onClose: () => void; onDone: (id: string) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [purpose, setPurpose] = useState<Purpose | "">("");
  const [scope, setScope] = useState("");
  const [source, setSource] = useState("");
  const send = useMutation({
    mutationFn: (chosen: File) => calls.propose(chosen, { mode, purpose, scope: purpose ? scope.trim() : "", source }),
    onSuccess: ({ id }) => {
      stale();
      onDone(id);
    },
  });
  return (
    <Sheet size="lg" title={t(`trust.upload.title.${mode}`)} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (file) send.mutate(file);
        }}
      >
        <Chooser
          file={file}
          hint={t("trust.upload.hint")}
          onFile={(chosen) => {
            send.reset();
            setFile(chosen);
          }}
        />
        <PurposeFields
          label={t("trust.upload.purpose")}
          first={t("trust.purpose.csca")}
          purpose={purpose}
          scope={scope}
          onPurpose={setPurpose}
          onScope={setScope}
        />
        <TextInput
          label={t("trust.upload.source")}
          description={t("trust.upload.source.hint")}
          maxLength={200}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        <ErrorMessage error={send.error} />
        <div className={css.acts}>
          <Button type="submit" disabled={!file} loading={send.isPending}>
            {t("trust.upload.submit")}
          </Button>
          <span className={css.soft}>{t("trust.upload.next")}</span>
        </div>
      </form>
    </Sheet>
  );
}

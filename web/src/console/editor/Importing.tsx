import { Button, FileButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode, WorkflowSpec } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Said } from "../parts/Said.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { absolute, t } from "../words.ts";
import { DifferenceList } from "../workflows/Differences.tsx";
import { calls } from "../workflows/queries.ts";
import wide from "../workflows/Workflows.module.css";
import css from "./Editor.module.css";
import { largestFile, readFile } from "./file.ts";

type Read = NonNullable<ReturnType<typeof readFile>>;

/** Reads a workflow from a file and shows what it changes in the draft, before anything of it is taken. */
export function Importing({
  mode,
  spec,
  onTake,
  onClose,
}: {
  mode: Mode;
  spec: WorkflowSpec;
  onTake: (spec: WorkflowSpec) => void;
  onClose: () => void;
}) {
  const [wrong, setWrong] = useState("");
  const compare = useMutation({ mutationFn: (read: Read) => calls.compare(mode, spec, read.spec) });
  const choose = async (file: File | null) => {
    compare.reset();
    setWrong("");
    if (!file) return;
    if (file.size > largestFile) return setWrong(t("importing.large"));
    const read = readFile(await file.text(), spec, mode);
    if (!read) return setWrong(t("importing.wrong"));
    compare.mutate(read);
  };
  const read = compare.variables;
  return (
    <Sheet onClose={onClose} title={t("importing.title")} size="lg">
      <div className={css.form}>
        <p>{t("importing.text")}</p>
        <div className={css.acts}>
          <FileButton onChange={(file) => void choose(file)} accept="application/json,.json">
            {(props) => (
              <Button {...props} variant="default" data-autofocus>
                {t("importing.choose")}
              </Button>
            )}
          </FileButton>
        </div>
        {wrong && (
          <p className={wide.issue} role="alert">
            {wrong}
          </p>
        )}
        <ErrorMessage error={compare.error} />
        {compare.data && read && (
          <>
            <p>
              {t("importing.from", {
                name: read.name,
                date: Number.isNaN(Date.parse(read.exported_at)) ? "–" : absolute(read.exported_at),
              })}
            </p>
            <p role="status">{t(compare.data.items.length > 0 ? "importing.changes" : "importing.same")}</p>
            <DifferenceList items={compare.data.items} />
            {compare.data.issues.length > 0 && (
              <>
                <p>{t("importing.issues")}</p>
                {compare.data.issues.map((one) => (
                  <p key={one.field + one.message} className={wide.issue}>
                    <Said text={one.message} />
                  </p>
                ))}
              </>
            )}
            <div className={css.acts}>
              <Button disabled={compare.data.items.length === 0} onClick={() => onTake(read.spec)}>
                {t("importing.take")}
              </Button>
            </div>
          </>
        )}
      </div>
    </Sheet>
  );
}

import { Button } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { WorkflowFile, WorkflowSpec, WorkflowVersion } from "../../api/wire.ts";
import { downloadJSON } from "../parts/download.ts";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Editor.module.css";
import { FlowPreview } from "./FlowPreview.tsx";
import { fileOf } from "./file.ts";

/** What can be done with any version: walk through it, take it along as a file, and what its page adds. */
export function FileActs({
  file,
  version,
  spec,
  children,
}: {
  file: WorkflowFile;
  version: WorkflowVersion;
  spec: WorkflowSpec;
  children?: ReactNode;
}) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [previewing, setPreviewing] = useState(false);
  return (
    <div className={css.acts}>
      {me.may.includes("sessions.write") && (
        <Button variant="default" size="compact-md" onClick={() => setPreviewing(true)}>
          {t("editor.preview")}
        </Button>
      )}
      <Button
        variant="default"
        size="compact-md"
        onClick={() =>
          downloadJSON(
            `${version.name}-${version.number}.workflow.json`,
            fileOf(version.name, version.mode, spec, Date.now()),
          )
        }
      >
        {t("editor.export")}
      </Button>
      {children}
      {previewing && <FlowPreview file={file} onClose={() => setPreviewing(false)} />}
    </div>
  );
}

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { WorkflowFile } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client } from "../queries.ts";
import { t } from "../words.ts";
import css from "./Editor.module.css";

/** The applicant's real pages in a frame, on a session of test mode. */
export function FlowPreview({ file, onClose }: { file: WorkflowFile; onClose: () => void }) {
  const begin = useMutation({
    mutationFn: (workflow: string) =>
      unwrap(api.POST("/v1/console/sessions", { body: { mode: "test", workflow, external_reference: "preview" } })),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const { published } = file;
  const blocked = file.mode === "live" ? t("preview_flow.live") : published ? "" : t("preview_flow.unpublished");
  // The link is the server's own; only its path is taken, so that the frame shows this origin and no other.
  const path = begin.data?.url ? new URL(begin.data.url).pathname : "";
  return (
    <Sheet onClose={onClose} title={t("preview_flow.title")} size="lg">
      <div className={css.form}>
        {blocked ? (
          <p>{blocked}</p>
        ) : (
          <>
            <p>
              {t("preview_flow.text", { n: published?.number ?? "" })}{" "}
              {file.draft && t("preview_flow.draft", { n: published?.number ?? "" })}
            </p>
            <ErrorMessage error={begin.error} />
            <div className={css.acts}>
              <Button loading={begin.isPending} onClick={() => begin.mutate(file.name)}>
                {t(path ? "preview_flow.again" : "preview_flow.start")}
              </Button>
            </div>
            {path && (
              <iframe
                key={path}
                src={path}
                title={t("preview_flow.frame")}
                className={css.frame}
                allow="camera"
                sandbox="allow-scripts allow-same-origin allow-forms"
              />
            )}
          </>
        )}
      </div>
    </Sheet>
  );
}

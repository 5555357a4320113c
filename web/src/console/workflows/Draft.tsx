import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Refused } from "../../api/failure.ts";
import type { Simulation, WorkflowFile, WorkflowSpec, WorkflowVersion } from "../../api/wire.ts";
import { Bar } from "../editor/Bar.tsx";
import { FileActs } from "../editor/FileActs.tsx";
import { Importing } from "../editor/Importing.tsx";
import { Spec } from "../editor/Spec.tsx";
import { Testing } from "../editor/Testing.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { type Deed, Done, Section } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { whyNoPublishing } from "./can.ts";
import { Differences } from "./Differences.tsx";
import { calls, refresh, workflowQueries } from "./queries.ts";
import { Simulated } from "./Simulated.tsx";
import css from "./Workflows.module.css";

/** How long nobody may have typed before a draft is checked, in ms. */
const pause = 400;

/** A draft: changed, checked while one types, tried out on past decisions, published. */
export function Draft({ draft, file }: { draft: WorkflowVersion; file: WorkflowFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [base, setBase] = useState(draft);
  const [spec, setSpec] = useState(draft.spec);
  const [deed, setDeed] = useState<Deed | null>(null);
  const [asking, setAsking] = useState<"publish" | "discard" | null>(null);
  const [opened, setOpened] = useState<"test" | "import" | null>(null);
  const unsaved = JSON.stringify(spec) !== JSON.stringify(base.spec);
  const [settled] = useDebouncedValue(spec, pause);
  const { data: checked } = useQuery({
    queryKey: ["workflow-check", draft.mode, settled],
    queryFn: () => calls.check(draft.mode, settled),
    gcTime: 0,
  });
  const issues = checked?.items ?? base.issues;
  const save = useMutation({
    mutationFn: () => calls.save(draft.workflow, base.revision, spec),
    onSuccess: (saved) => {
      client.setQueryData(workflowQueries.version(draft.workflow, draft.id).queryKey, saved);
      void client.invalidateQueries({
        queryKey: [...workflowQueries.version(draft.workflow, draft.id).queryKey, "differences"],
      });
      setBase(saved);
      setSpec(saved.spec);
      setDeed({ text: t("workflow.saved") });
    },
  });
  const simulate = useMutation({ mutationFn: (what: WorkflowSpec) => calls.simulate(draft.workflow, what) });
  // A trial of something else is no trial of this.
  const tried = JSON.stringify(simulate.variables) === JSON.stringify(spec) ? simulate.data : undefined;
  const end = useMutation({
    mutationFn: async (what: "publish" | "discard") => {
      if (what === "publish") await calls.publish(draft.workflow, base.revision);
      else await calls.discard(draft.workflow, base.revision);
    },
    onSuccess: () => {
      setAsking(null);
      refresh(draft.workflow);
    },
  });
  const why = whyNoPublishing(me, { ...base, issues }, unsaved);
  const failed = save.error ?? end.error ?? simulate.error;
  return (
    <Section title={`${t("workflow.number", { n: draft.number })} · ${t("workflow.state.draft")}`}>
      <FileActs file={file} version={draft} spec={spec}>
        <Button variant="default" size="compact-md" loading={simulate.isPending} onClick={() => simulate.mutate(spec)}>
          {t("workflow.simulate")}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => setOpened("import")}>
          {t("editor.import")}
        </Button>
        <Button variant="subtle" size="compact-md" onClick={() => setAsking("discard")}>
          {t("workflow.discard")}
        </Button>
      </FileActs>
      {tried && <Simulated result={tried} />}
      <Spec spec={spec} mode={draft.mode} issues={issues} onChange={setSpec} />
      <ErrorMessage error={failed} />
      {failed instanceof Refused && failed.problem.code === "workflow.conflict" && (
        <Theirs
          draft={base}
          onTheirs={(theirs, mine) => {
            setBase(theirs);
            if (!mine) setSpec(theirs.spec);
            save.reset();
            end.reset();
          }}
        />
      )}
      <Done deed={unsaved ? null : deed} />
      <Bar
        unsaved={unsaved}
        problems={issues.length}
        why={why ? t(why) : ""}
        saving={save.isPending}
        onSave={() => save.mutate()}
        onTest={() => setOpened("test")}
        onPublish={() => setAsking("publish")}
      />
      {opened === "test" && (
        <Testing workflow={draft.workflow} mode={draft.mode} spec={spec} onClose={() => setOpened(null)} />
      )}
      {opened === "import" && (
        <Importing
          mode={draft.mode}
          spec={spec}
          onClose={() => setOpened(null)}
          onTake={(taken) => {
            setSpec(taken);
            setOpened(null);
          }}
        />
      )}
      {asking && (
        <Ask
          what={asking}
          draft={base}
          simulation={tried}
          busy={end.isPending}
          error={end.error}
          onClose={() => setAsking(null)}
          onYes={() => end.mutate(asking)}
        />
      )}
    </Section>
  );
}

/** Somebody else changed the draft meanwhile. What one typed is kept; one says which of both goes on. */
function Theirs({
  draft,
  onTheirs,
}: {
  draft: WorkflowVersion;
  onTheirs: (theirs: WorkflowVersion, mine: boolean) => void;
}) {
  const look = useMutation({
    mutationFn: (_mine: boolean) =>
      client.fetchQuery({ ...workflowQueries.version(draft.workflow, draft.id), staleTime: 0 }),
    onSuccess: (theirs, mine) => onTheirs(theirs, mine),
  });
  return (
    <div className={css.note}>
      <p>{t("workflow.theirs")}</p>
      <div className={css.acts}>
        <Button size="compact-sm" variant="default" onClick={() => look.mutate(true)}>
          {t("workflow.take_mine")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => look.mutate(false)}>
          {t("workflow.take_theirs")}
        </Button>
      </div>
    </div>
  );
}

function Ask({
  what,
  draft,
  simulation,
  busy,
  error,
  onYes,
  onClose,
}: {
  what: "publish" | "discard";
  draft: WorkflowVersion;
  simulation: Simulation | undefined;
  busy: boolean;
  error: Error | null;
  onYes: () => void;
  onClose: () => void;
}) {
  const totals = simulation?.totals;
  return (
    <Sheet onClose={onClose} size="lg" title={t(`workflow.${what}_title`, { n: draft.number, name: draft.name })}>
      <div className={css.form}>
        <p>{t(`workflow.${what}_text`)}</p>
        {what === "publish" && (
          <>
            <Differences workflow={draft.workflow} version={draft.id} />
            {draft.liveness_notice && (
              <p className={css.note}>
                {t(draft.liveness_notice === "face_not_compared" ? "asks.notice_document" : "asks.notice")}
              </p>
            )}
            <p className={css.soft}>
              {totals
                ? t("workflow.publish_tried", { changed: totals.changed, n: totals.decisions })
                : t("workflow.publish_untried")}
            </p>
          </>
        )}
        <ErrorMessage error={error} />
        <Button loading={busy} onClick={onYes}>
          {t(`workflow.${what}_now`)}
        </Button>
      </div>
    </Sheet>
  );
}

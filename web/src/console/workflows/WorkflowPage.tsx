import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { WorkflowFile, WorkflowHead, WorkflowVersion } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { FileActs } from "../editor/FileActs.tsx";
import { Spec } from "../editor/Spec.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { whyNoChange } from "./can.ts";
import { Differences } from "./Differences.tsx";
import { Draft } from "./Draft.tsx";
import { Figures } from "./Figures.tsx";
import { Offer } from "./Offer.tsx";
import { calls, refresh, workflowQueries } from "./queries.ts";
import css from "./Workflows.module.css";

const looks: Record<WorkflowHead["state"], Shape> = { draft: "running", published: "pass", retired: "idle" };

/** One workflow: its draft to be changed, or a version to be read, and the history of both. */
export function WorkflowPage() {
  const { id } = useParams({ from: "/console/workflows/$id" });
  const { version, other } = useSearch({ from: "/console/workflows/$id" });
  const { data: file } = useSuspenseQuery(workflowQueries.one(id));
  const shown = file.items.find((one) => one.id === version) ?? file.draft ?? file.published ?? file.items[0];
  return (
    <Page title={file.name} actions={<Begin file={file} />}>
      {file.offered.length > 0 && <Offer file={file} />}
      {shown && <Version key={shown.id} file={file} head={shown} />}
      {shown && file.items.length > 1 && (
        <Compared key={`${shown.id} compared`} file={file} shown={shown} other={other} />
      )}
      <Figures workflow={id} />
      <Section title={t("workflow.history")}>
        <Table
          caption={t("workflow.history")}
          columns={[t("workflow.column.version"), t("workflow.column.state"), t("workflow.column.published")]}
        >
          {file.items.map((one) => (
            <tr key={one.id} className={cell.row}>
              <th scope="row" className={cell.first}>
                <Link
                  to="/console/workflows/$id"
                  params={{ id }}
                  search={{ version: one.id }}
                  className={cell.link}
                  aria-current={one.id === shown?.id ? "page" : undefined}
                >
                  {t("workflow.number", { n: one.number })}
                </Link>
              </th>
              <td>
                <State shape={looks[one.state]}>{t(`workflow.state.${one.state}`)}</State>
              </td>
              <td className={cell.quiet}>{one.published_at ? <Time iso={one.published_at} /> : "–"}</td>
            </tr>
          ))}
        </Table>
      </Section>
    </Page>
  );
}

/** What the version that is shown says otherwise than another. */
function Compared({ file, shown, other }: { file: WorkflowFile; shown: WorkflowHead; other: string | undefined }) {
  const navigate = useNavigate();
  const others = file.items.filter((one) => one.id !== shown.id);
  const chosen = others.some((one) => one.id === other) ? other : "";
  return (
    <Section title={t("differences.title")}>
      <NativeSelect
        className={css.pick}
        label={t("differences.other")}
        value={chosen}
        onChange={(event) => {
          const id = event.currentTarget.value;
          void navigate({
            to: "/console/workflows/$id",
            params: { id: file.id },
            search: { version: shown.id, ...(id ? { other: id } : {}) },
            resetScroll: false,
          });
        }}
        data={[
          { value: "", label: t(shown.state === "draft" ? "differences.published" : "differences.before") },
          ...others.map((one) => ({
            value: one.id,
            label: `${t("workflow.number", { n: one.number })} · ${t(`workflow.state.${one.state}`)}`,
          })),
        ]}
      />
      <Differences workflow={file.id} version={shown.id} other={chosen} />
    </Section>
  );
}

/** Starts a draft, where there is none. */
function Begin({ file }: { file: WorkflowFile }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const navigate = useNavigate();
  const why = whyNoChange(me);
  const begin = useMutation({
    mutationFn: () => calls.draft(file.id),
    onSuccess: () => {
      refresh(file.id);
      void navigate({ to: "/console/workflows/$id", params: { id: file.id }, search: {} });
    },
  });
  if (file.draft) return null;
  return (
    <>
      <ErrorMessage error={begin.error} />
      <Button
        disabled={why !== null}
        title={why ? t(why) : undefined}
        loading={begin.isPending}
        onClick={() => begin.mutate()}
      >
        {t("workflow.begin")}
      </Button>
    </>
  );
}

function Version({ file, head }: { file: WorkflowFile; head: WorkflowHead }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(workflowQueries.version(file.id, head.id));
  const why = whyNoChange(me);
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <p>{t("app.loading")}</p>;
  if (data.state === "draft" && !why) return <Draft key={data.id} draft={data} file={file} />;
  return <Read version={data} file={file} blocked={why !== null} />;
}

function Read({ version, file, blocked }: { version: WorkflowVersion; file: WorkflowFile; blocked: boolean }) {
  return (
    <Section title={`${t("workflow.number", { n: version.number })} · ${t(`workflow.state.${version.state}`)}`}>
      <p>
        {version.state !== "draft" && t("workflow.fixed")} {blocked && t("workflow.why.write")}
      </p>
      <FileActs file={file} version={version} spec={version.spec} />
      <Spec spec={version.spec} mode={version.mode} issues={version.issues} onChange={null} />
    </Section>
  );
}

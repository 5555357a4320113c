import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Mode, WorkflowSummary } from "../../api/wire.ts";
import { fromTemplate, type Template, templates } from "../editor/templates.ts";
import { usePageCommands } from "../parts/commands.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Empty, Page } from "../parts/Page.tsx";
import { Sheet } from "../parts/Sheet.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { Time } from "../parts/Time.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";
import { whyNoChange } from "./can.ts";
import { calls, workflowQueries } from "./queries.ts";
import css from "./Workflows.module.css";

/** The workflows of a mode: what sessions can follow, and what is being changed. */
export function Workflows() {
  const { mode = "test" } = useSearch({ from: "/console/workflows" });
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(workflowQueries.all(mode));
  const [making, setMaking] = useState(false);
  const may = whyNoChange(me) === null;
  usePageCommands(may ? [{ name: t("workflows.new"), run: () => setMaking(true) }] : []);
  return (
    <Page
      title={t("workflows.title")}
      lead={t("workflows.lead")}
      actions={may && <Button onClick={() => setMaking(true)}>{t("workflows.new")}</Button>}
    >
      <ErrorMessage error={error} />
      {data?.items.length === 0 && <Empty title={t("workflows.none")} text={t("workflows.none_text")} />}
      {data && data.items.length > 0 && (
        <Table
          caption={t("workflows.title")}
          columns={[
            t("workflows.column.name"),
            t("workflows.column.published"),
            t("workflows.column.draft"),
            t("workflows.column.versions"),
            t("workflows.column.since"),
          ]}
        >
          {data.items.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </Table>
      )}
      {making && <Make mode={mode} onClose={() => setMaking(false)} />}
    </Page>
  );
}

function Row({ one }: { one: WorkflowSummary }) {
  return (
    <tr className={cell.row}>
      <th scope="row" className={cell.first}>
        <Link to="/console/workflows/$id" params={{ id: one.id }} search={{}} className={cell.link}>
          {one.name}
        </Link>
      </th>
      <td data-label={t("workflows.column.published")}>
        <State shape={one.published ? "pass" : "idle"}>
          {one.published ? t("workflow.number", { n: one.published.number }) : t("workflows.not_published")}
        </State>
      </td>
      <td data-label={t("workflows.column.draft")} data-empty={!one.draft}>
        {one.draft ? <State shape="running">{t("workflow.number", { n: one.draft.number })}</State> : "–"}
      </td>
      <td className={cell.quiet} data-label={t("workflows.column.versions")}>
        {one.versions}
      </td>
      <td className={cell.quiet} data-label={t("workflows.column.since")} data-empty={!one.published?.published_at}>
        {one.published?.published_at ? <Time iso={one.published.published_at} /> : "–"}
      </td>
    </tr>
  );
}

function Make({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm<{ name: string; template: Template | "" }>({ initialValues: { name: "", template: "" } });
  const { data: language } = useQuery(workflowQueries.language);
  const make = useMutation({
    mutationFn: async ({ name, template }: { name: string; template: Template | "" }) => {
      const made = await calls.make(mode, name);
      if (!template || !language || !made.draft) return made;
      const draft = await client.fetchQuery(workflowQueries.version(made.id, made.draft.id));
      await calls.save(made.id, draft.revision, fromTemplate(template, draft.spec, language));
      client.removeQueries({ queryKey: workflowQueries.version(made.id, made.draft.id).queryKey });
      return made;
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ["workflows"] });
      void navigate({ to: "/console/workflows/$id", params: { id }, search: {} });
    },
  });
  return (
    <Sheet onClose={onClose} title={t("workflows.new")}>
      <form className={css.form} onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <ErrorMessage error={make.error} />
        <TextInput
          data-autofocus
          label={t("workflows.column.name")}
          description={t("workflows.name_hint")}
          required
          withAsterisk={false}
          maxLength={40}
          pattern="[a-z][a-z0-9_]*"
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <NativeSelect
          label={t("template.label")}
          description={form.values.template ? t(`template.${form.values.template}_hint`) : undefined}
          value={form.values.template}
          onChange={(event) =>
            form.setFieldValue("template", templates.find((one) => one === event.currentTarget.value) ?? "")
          }
          data={[
            { value: "", label: t("template.none") },
            ...templates.map((value) => ({ value, label: t(`template.${value}`) })),
          ]}
        />
        <Button type="submit" loading={make.isPending}>
          {t("workflows.make")}
        </Button>
      </form>
    </Sheet>
  );
}

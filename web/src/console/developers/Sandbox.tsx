import { Button, CopyButton } from "@mantine/core";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Page, Section } from "../parts/Page.tsx";
import { State } from "../parts/State.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { queries } from "../queries.ts";
import { sessionLooks } from "../states.ts";
import { t } from "../words.ts";
import css from "./Developers.module.css";
import { developerQueries } from "./queries.ts";

type Persona = components["schemas"]["Persona"];

/** How somebody makes the session of a persona from a shell. */
const curlOf = (origin: string, number: string): string =>
  [
    `curl -X POST "${origin}/v1/sessions"`,
    `-H "Authorization: Bearer $BONAFIDE_KEY"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify({ claimed: { document_number: number } })}'`,
  ].join(" \\\n  ");

/** Makes a test session of a persona and lets it act; answers the session's id. */
async function play(number: string): Promise<string> {
  const made = await unwrap(
    api.POST("/v1/console/sessions", { body: { mode: "test", claimed: { document_number: number } } }),
  );
  await unwrap(api.POST("/v1/console/sessions/{id}/simulate", { params: { path: { id: made.id } }, body: {} }));
  return made.id;
}

/** The test personas, and the outcome of each. */
export function Sandbox() {
  const { data: me } = useSuspenseQuery(queries.me);
  const { data, error } = useQuery(developerQueries.personas);
  const go = useNavigate();
  const run = useMutation({
    mutationFn: play,
    onSuccess: (id) => void go({ to: "/console/sessions/$id", params: { id } }),
  });
  const may = me.may.includes("sessions.write");
  const rows = (items: readonly Persona[]) =>
    items.map((persona) => (
      <tr key={persona.name} className={cell.row}>
        <th scope="row" className={css.persona}>
          <code className={cell.code}>{persona.document_number}</code>
        </th>
        <td className={cell.wide} title={persona.what}>
          {persona.what}
        </td>
        <td>
          <State shape={sessionLooks[persona.ends].shape}>{t(sessionLooks[persona.ends].word)}</State>
        </td>
        <td>
          <div className={cell.actions}>
            <CopyButton value={curlOf(location.origin, persona.document_number)}>
              {({ copied, copy }) => (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  onClick={copy}
                  aria-label={t("sandbox.copy_of", { name: persona.name })}
                >
                  {t(copied ? "app.copied" : "sandbox.copy")}
                </Button>
              )}
            </CopyButton>
            {may && (
              <Button
                size="compact-sm"
                variant="default"
                loading={run.isPending && run.variables === persona.document_number}
                disabled={run.isPending && run.variables !== persona.document_number}
                onClick={() => run.mutate(persona.document_number)}
                aria-label={t("sandbox.run_of", { name: persona.name })}
              >
                {t("sandbox.run")}
              </Button>
            )}
          </div>
        </td>
      </tr>
    ));
  const columns = [t("sandbox.column.number"), t("sandbox.column.what"), t("sandbox.column.ends")];
  return (
    <Page
      title={t("sandbox.title")}
      lead={t("sandbox.text")}
      actions={<a href="/docs/guides/test-mode">{t("sandbox.docs")}</a>}
    >
      <ErrorMessage error={error ?? run.error} />
      {data && (
        <>
          <Section title={t("sandbox.verdicts")}>
            <Table caption={t("sandbox.verdicts")} columns={columns} acts={t("sandbox.column.acts")}>
              {rows(data.items.filter(({ name, reason }) => name !== reason))}
            </Table>
          </Section>
          <Section title={t("sandbox.reasons")}>
            <Table caption={t("sandbox.reasons")} columns={columns} acts={t("sandbox.column.acts")}>
              {rows(data.items.filter(({ name, reason }) => name === reason))}
            </Table>
          </Section>
        </>
      )}
    </Page>
  );
}

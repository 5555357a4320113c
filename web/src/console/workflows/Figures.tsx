import { useQuery } from "@tanstack/react-query";
import type { VersionFigures } from "../../api/wire.ts";
import { lasting } from "../insight/figures.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Section } from "../parts/Page.tsx";
import cell from "../parts/Table.module.css";
import { Table } from "../parts/Table.tsx";
import { t, words } from "../words.ts";
import { keptBack } from "./can.ts";
import { workflowQueries } from "./queries.ts";
import css from "./Workflows.module.css";

const number = (n: number) => n.toLocaleString(words.locale);
const share = (part: number) => part.toLocaleString(words.locale, { style: "percent", maximumFractionDigits: 1 });
const of = (part: number, all: number) => (all > 0 ? `${number(part)} (${share(part / all)})` : "–");

/** What became of the sessions that follow each version, so that two versions can be held against one another. */
export function Figures({ workflow }: { workflow: string }) {
  const { data, error } = useQuery({ ...workflowQueries.figures(workflow), retry: false });
  if (keptBack(error)) return null; // not for these roles, or not in this mode
  const items = data?.items.filter(({ created }) => created > 0) ?? [];
  return (
    <Section title={t("figures.versions")}>
      <ErrorMessage error={error} />
      {data && <p className={css.soft}>{t(items.length > 0 ? "figures.versions_text" : "figures.no_sessions")}</p>}
      {items.length > 0 && <Rows items={items} />}
    </Section>
  );
}

function Rows({ items }: { items: readonly VersionFigures[] }) {
  return (
    <Table
      caption={t("figures.versions")}
      columns={[
        t("workflow.column.version"),
        t("figures.created"),
        t("figures.decided"),
        t("figures.approved"),
        t("figures.declined"),
        t("figures.referred"),
        t("figures.by_policy"),
        t("figures.middle"),
      ]}
    >
      {items.map((one) => (
        <tr key={one.version.id} className={cell.row}>
          <th scope="row" className={cell.first}>
            {t("workflow.number", { n: one.version.number })}
          </th>
          <td data-label={t("figures.created")}>{number(one.created)}</td>
          <td data-label={t("figures.decided")}>{number(one.decided)}</td>
          <td data-label={t("figures.approved")}>{of(one.approved, one.decided)}</td>
          <td data-label={t("figures.declined")}>{of(one.declined, one.decided)}</td>
          <td data-label={t("figures.referred")}>{number(one.referred)}</td>
          <td data-label={t("figures.by_policy")}>{of(one.by_policy, one.decided)}</td>
          <td className={cell.quiet} data-label={t("figures.middle")}>
            {one.p50_seconds === null ? "–" : lasting(one.p50_seconds)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

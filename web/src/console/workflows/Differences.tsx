import { useQuery } from "@tanstack/react-query";
import type { WorkflowComparison } from "../../api/wire.ts";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { Said } from "../parts/Said.tsx";
import { t } from "../words.ts";
import { workflowQueries } from "./queries.ts";
import css from "./Workflows.module.css";

/** What a version says otherwise than another one; than the one before it, if none is named. */
export function Differences({
  workflow,
  version,
  other = "",
}: {
  workflow: string;
  version: string;
  other?: string | undefined;
}) {
  const { data, error } = useQuery(workflowQueries.differences(workflow, version, other));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <p>{t("app.loading")}</p>;
  if (!data.before) return <p className={css.soft}>{t("differences.nothing_before")}</p>;
  return (
    <>
      <p className={css.soft}>
        {t(data.items.length > 0 ? "differences.some" : "differences.none", {
          after: data.after.number,
          before: data.before.number,
        })}
      </p>
      <DifferenceList items={data.items} />
    </>
  );
}

/** Differences, each in words and whether it lets more or fewer people pass. */
export function DifferenceList({ items }: { items: WorkflowComparison["items"] }) {
  if (items.length === 0) return null;
  return (
    <ul className={css.differences}>
      {items.map(({ field, text, effect }) => (
        <li key={field + text}>
          {effect !== "neither" && <span className={css.effect}>{t(`differences.${effect}`)}</span>}
          <Said text={text} />
        </li>
      ))}
    </ul>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Me } from "../../api/wire.ts";
import { Notice } from "../developers/Notice.tsx";
import { t } from "../words.ts";
import { screeningQueries } from "./queries.ts";

/** Says which watchlists are old, held or could not be compiled: people are referred for them. */
export function ListsNotice({ me }: { me: Me }) {
  const may = me.may.includes("watchlists.read");
  const { data } = useQuery({ ...screeningQueries.lists, enabled: may });
  const bad = data?.items.filter(({ state }) => state === "old" || state === "held") ?? [];
  if (!data || (bad.length === 0 && !data.compiled.broken)) return null;
  return (
    <Notice title={t("lists.notice")}>
      {bad.map(({ id, title, state }) => (
        <span key={id}>{t(state === "old" ? "lists.notice.old" : "lists.notice.held", { title })} </span>
      ))}
      {data.compiled.broken && <span>{t("lists.notice.broken")} </span>}
      <Link to="/console/settings/watchlists">{t("lists.title")}</Link>
    </Notice>
  );
}

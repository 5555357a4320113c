import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Mode } from "../../api/wire.ts";
import css from "../Shell.module.css";
import { t } from "../words.ts";
import { screeningQueries } from "./queries.ts";

/** The queue of screening hits, with how many somebody has to decide. */
export function ScreeningLink({ mode, path }: { mode: Mode; path: string }) {
  const there = path.startsWith("/console/screening");
  const { data } = useQuery(screeningQueries.hits(mode, "open"));
  const counts = data?.counts;
  const open = (counts?.open ?? 0) + (counts?.unsure ?? 0) + (counts?.awaits_second ?? 0);
  return (
    <li>
      <Link
        to="/console/screening"
        search={mode === "live" ? { mode } : {}}
        className={css.link}
        data-active={there}
        aria-current={there ? "page" : undefined}
      >
        <span className={css.linkName}>{t("screening.title")}</span>
        <span className={css.count}>{open}</span>
      </Link>
    </li>
  );
}

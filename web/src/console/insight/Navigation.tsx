import { Link } from "@tanstack/react-router";
import type { Mode } from "../../api/wire.ts";
import shell from "../Shell.module.css";
import { t } from "../words.ts";

/** The pages of figures. */
export const insightPages = [
  { to: "/console", word: "overview.title" },
  { to: "/console/analytics", word: "analytics.title" },
] as const;

/** The pages of figures, for who may see them. */
export function InsightLinks({ mode, path }: { mode: Mode; path: string }) {
  const here = insightTarget(path);
  return insightPages.map(({ to, word }) => (
    <li key={to}>
      <Link
        to={to}
        search={mode === "live" ? { mode } : {}}
        className={shell.link}
        data-active={here === to}
        aria-current={here === to ? "page" : undefined}
        activeOptions={{ exact: true }}
      >
        <span className={shell.linkName}>{t(word)}</span>
      </Link>
    </li>
  ));
}

/** The page of figures that a path is, if it is one: the choice of mode stays there. */
export const insightTarget = (path: string) => insightPages.find(({ to }) => to === path.replace(/\/$/, ""))?.to;

import { Link, useRouterState } from "@tanstack/react-router";
import type { Me, Mode } from "../../api/wire.ts";
import shell from "../Shell.module.css";
import { t } from "../words.ts";

const pages = [
  { to: "/console/developers/keys", word: "keys.title", may: "keys.read" },
  { to: "/console/developers/webhooks", word: "webhooks.title", may: "webhooks.read" },
  { to: "/console/developers/events", word: "events.title", may: "events.read" },
  { to: "/console/developers/logs", word: "logs.title", may: "logs.read" },
  { to: "/console/developers/sandbox", word: "sandbox.title", may: "keys.read" },
] as const;

/** The pages of this part that somebody may see. */
export const developerPages = (may: readonly string[]) => pages.filter((page) => may.includes(page.may));

/** The part of the navigation for who may connect other systems; nothing for everybody else. */
export function DeveloperLinks({ me, mode }: { me: Me; mode: Mode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const mine = developerPages(me.may);
  if (mine.length === 0) return null;
  const inside = path.startsWith("/console/developers");
  return (
    <ul className={shell.links} aria-label={t("developers.title")}>
      <li className={shell.heading}>{t("developers.title")}</li>
      {mine.map(({ to, word }) => (
        <li key={to}>
          <Link
            to={to}
            search={mode === "live" ? { mode } : {}}
            className={shell.sub}
            data-active={inside && path.startsWith(to)}
            aria-current={path === to ? "page" : undefined}
          >
            {t(word)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Where the choice of mode leads: these pages have both modes, all others are reached by the list of sessions. */
export const modeTarget = (path: string) => pages.find(({ to }) => path.startsWith(to))?.to ?? "/console/sessions";

import { Burger, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { failureOf } from "../api/failure.ts";
import type { Mode } from "../api/wire.ts";
import { Mark } from "../ui/Mark.tsx";
import { caseQueries } from "./cases/queries.ts";
import { DeveloperLinks, modeTarget } from "./developers/Navigation.tsx";
import { Offer } from "./door/Offer.tsx";
import { SignInFailures } from "./door/SignInFailures.tsx";
import { StepUp } from "./door/StepUp.tsx";
import { InsightLinks, insightTarget } from "./insight/Navigation.tsx";
import { keepMode, useLastMode } from "./parts/mode.ts";
import { Palette } from "./parts/Palette.tsx";
import { State } from "./parts/State.tsx";
import { settingsPages } from "./parts/settings.ts";
import { client, queries } from "./queries.ts";
import css from "./Shell.module.css";
import { ScreeningLink } from "./screening/Navigation.tsx";
import { sessionLooks } from "./states.ts";
import { t } from "./words.ts";

/** What waits for somebody has a place in the navigation; the list filters by the rest. */
const waiting = ["in_review", "processing", "capturing"] as const;

const themes = ["auto", "light", "dark"] as const;

/** The frame of every console page: navigation with counts on the left, the page on the right. */
export function Shell() {
  const { data: me } = useSuspenseQuery(queries.me);
  const [open, setOpen] = useState(false);
  const [palette, setPalette] = useState(false);
  const path = useRouterState({ select: (state) => state.location.href });
  useHotkeys([["mod+K", () => setPalette(true)]], []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address closes the menu
  useEffect(() => setOpen(false), [path]);

  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">
        {t("app.skip")}
      </a>
      <nav className={css.side} aria-label={t("app.navigation")}>
        <div className={css.top}>
          <Brand />
          <Burger
            className={css.burger}
            opened={open}
            onClick={() => setOpen(!open)}
            size="sm"
            aria-label={t("app.menu")}
            aria-expanded={open}
            aria-controls="menu"
          />
        </div>
        <div id="menu" className={css.menu} data-open={open}>
          <Navigation />
          <button type="button" className={css.find} onClick={() => setPalette(true)}>
            {t("palette.open")}
            <kbd>{t("palette.hint")}</kbd>
          </button>
          <div className={css.foot}>
            {settingsPages(me.may)
              .filter(({ may }) => may !== null)
              .map(({ to, word }) => (
                <Link key={to} to={to} search={{}} className={css.plain}>
                  {t(word)}
                </Link>
              ))}
            <Link to="/console/settings/account" className={css.me} title={t("account.title")}>
              <span className={css.name}>{me.name}</span>
              <span className={css.role}>{me.roles.map((role) => t(`role.${role}`)).join(", ")}</span>
            </Link>
            <div className={css.last}>
              <ThemeButton />
              <SignOut />
            </div>
          </div>
        </div>
      </nav>
      <main id="content" className={css.main} tabIndex={-1}>
        <Suspense fallback={<p className={css.loading}>{t("app.loading")}</p>}>
          <SignInFailures me={me} />
          <Offer me={me} />
          <Outlet />
        </Suspense>
      </main>
      <StepUp me={me} />
      {palette && <Palette onClose={() => setPalette(false)} />}
    </div>
  );
}

function Brand() {
  return (
    <Link to="/console/sessions" search={{}} className={css.brand}>
      <Mark size={22} />
      {t("app.name")}
    </Link>
  );
}

/** Whether a page shows one mode by its address: all others show what the tab looked at last. */
const showsMode = (path: string): boolean =>
  /^\/console\/(sessions|cases|workflows|developers\/\w+)?\/?$/.test(path) || insightTarget(path) !== undefined;

const modeOf = (value: string): Mode => (value === "live" ? "live" : "test");

function Navigation() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const last = useLastMode();
  const own = search.mode ?? (showsMode(path) ? "test" : undefined);
  const mode: Mode = own ?? last;
  useEffect(() => {
    if (own) keepMode(own);
  }, [own]);
  const inList = path === "/console/sessions";
  const inQueue = path === "/console/cases";
  const { data } = useQuery(queries.sessions({ mode }));
  const { data: me } = useSuspenseQuery(queries.me);
  const total = Object.values(data?.counts ?? {}).reduce((sum, n) => sum + n, 0);
  const modeSearch = mode === "live" ? { mode } : {};
  return (
    <>
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t("mode.label")}
        value={mode}
        onChange={(value) =>
          void navigate({
            to: inQueue
              ? "/console/cases"
              : path === "/console/screening" ||
                  path === "/console/duplicates" ||
                  path === "/console/blocklist" ||
                  path === "/console/workflows" ||
                  path === "/console/settings/trust"
                ? path
                : (insightTarget(path) ?? modeTarget(path)),
            search: modeOf(value) === "live" ? { mode: "live" } : {},
          })
        }
        data={[
          { value: "test", label: t("mode.test") },
          { value: "live", label: t("mode.live") },
        ]}
      />
      <ul className={css.links}>
        {me.may.includes("insight.read") && <InsightLinks mode={mode} path={path} />}
        <li>
          <Link
            to="/console/sessions"
            search={modeSearch}
            className={css.link}
            data-active={inList && !search.state}
            aria-current={inList && !search.state ? "page" : undefined}
          >
            <span className={css.linkName}>{t("sessions.title")}</span>
            <span className={css.count}>{total}</span>
          </Link>
        </li>
        {waiting.map((state) => {
          const { shape, word } = sessionLooks[state];
          const active = inList && search.state === state;
          return (
            <li key={state}>
              <Link
                to="/console/sessions"
                search={{ ...modeSearch, state }}
                className={css.sub}
                data-active={active}
                aria-current={active ? "page" : undefined}
              >
                <State shape={shape}>{t(word)}</State>
                <span className={css.count}>{data?.counts[state] ?? 0}</span>
              </Link>
            </li>
          );
        })}
        {me.may.includes("cases.read") && <QueueLink mode={mode} />}
        {me.may.includes("cases.read") && <ScreeningLink mode={mode} path={path} />}
        {me.may.includes("cases.read") && (
          <li>
            <Link
              to="/console/duplicates"
              search={modeSearch}
              className={css.link}
              data-active={seenPages.includes(path)}
              aria-current={seenPages.includes(path) ? "page" : undefined}
            >
              <span className={css.linkName}>{t("duplicates.title")}</span>
            </Link>
          </li>
        )}
      </ul>
      {me.may.includes("workflows.read") && (
        <Link
          to="/console/workflows"
          search={modeSearch}
          className={css.link}
          data-active={path.startsWith("/console/workflows")}
          aria-current={path.startsWith("/console/workflows") ? "page" : undefined}
        >
          <span className={css.linkName}>{t("workflows.title")}</span>
        </Link>
      )}
      <DeveloperLinks me={me} mode={mode} />
    </>
  );
}

/** The pages of what was seen before. */
const seenPages = ["/console/duplicates", "/console/blocklist"];

/** The review queue, with how many cases nobody has. */
function QueueLink({ mode }: { mode: Mode }) {
  const there = useRouterState({ select: (state) => state.location.pathname.startsWith("/console/cases") });
  const { data } = useQuery(caseQueries.cases(mode, "unclaimed"));
  return (
    <li>
      <Link
        to="/console/cases"
        search={mode === "live" ? { mode } : {}}
        className={css.link}
        data-active={there}
        aria-current={there ? "page" : undefined}
      >
        <span className={css.linkName}>{t("cases.title")}</span>
        <span className={css.count}>{data?.counts.unclaimed ?? 0}</span>
      </Link>
    </li>
  );
}

function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = themes[(themes.indexOf(colorScheme) + 1) % themes.length] ?? "auto";
  return (
    <button type="button" className={css.plain} onClick={() => setColorScheme(next)}>
      {t("app.theme", { theme: t(`app.theme.${colorScheme}`) })}
    </button>
  );
}

function SignOut() {
  const out = useMutation({
    mutationFn: async () => {
      const { response, error } = await api.POST("/v1/console/logout", { body: {} });
      if (!response.ok) throw failureOf(response.status, error);
    },
    onSuccess: () => {
      client.clear();
      location.assign("/login");
    },
  });
  return (
    <button type="button" className={css.plain} onClick={() => out.mutate()}>
      {t("app.sign_out")}
    </button>
  );
}

import { createRootRoute, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Refused } from "../api/failure.ts";
import { AuditPage } from "./audit/AuditPage.tsx";
import { auditSearch } from "./audit/queries.ts";
import { CasePage } from "./cases/CasePage.tsx";
import { Queue } from "./cases/Queue.tsx";
import { casesSearch } from "./cases/queries.ts";
import { Events } from "./developers/Events.tsx";
import { Keys } from "./developers/Keys.tsx";
import { Logs } from "./developers/Logs.tsx";
import { logsSearch } from "./developers/queries.ts";
import { Sandbox } from "./developers/Sandbox.tsx";
import { Webhook } from "./developers/Webhook.tsx";
import { Webhooks } from "./developers/Webhooks.tsx";
import { Security } from "./door/Security.tsx";
import { SSOReturn } from "./door/SSOReturn.tsx";
import { Analytics } from "./insight/Analytics.tsx";
import { Overview } from "./insight/Overview.tsx";
import { figuresSearch } from "./insight/queries.ts";
import { System } from "./insight/System.tsx";
import { Forgot } from "./mail/Forgot.tsx";
import { Reset } from "./mail/Reset.tsx";
import { Login } from "./pages/Login.tsx";
import { Setup } from "./pages/Setup.tsx";
import { Failure, NotFound } from "./parts/Failure.tsx";
import { mode, searchSchema, text } from "./parts/search.ts";
import { client, queries } from "./queries.ts";
import { Quality } from "./queue/Quality.tsx";
import { qualitySearch, reviewersSearch } from "./queue/queries.ts";
import { Reviewers } from "./queue/Reviewers.tsx";
import { RetentionPage } from "./retention/RetentionPage.tsx";
import { Shell } from "./Shell.tsx";
import { HitsPage } from "./screening/HitsPage.tsx";
import { MonitoringPage } from "./screening/MonitoringPage.tsx";
import { hitsSearch } from "./screening/queries.ts";
import { SearchPage } from "./screening/SearchPage.tsx";
import { WatchlistsPage } from "./screening/WatchlistsPage.tsx";
import { BlockListPage } from "./seen/BlockListPage.tsx";
import { DuplicatesPage } from "./seen/DuplicatesPage.tsx";
import { blockSearch, duplicatesSearch } from "./seen/queries.ts";
import { SessionPage } from "./session/SessionPage.tsx";
import { sessionsSearch } from "./sessions/filter.ts";
import { Sessions } from "./sessions/Sessions.tsx";
import { Account } from "./team/Account.tsx";
import { Join } from "./team/Join.tsx";
import { TeamPage } from "./team/TeamPage.tsx";
import { TrustPage } from "./trust/TrustPage.tsx";
import { Workflows } from "./workflows/List.tsx";
import { WorkflowPage } from "./workflows/WorkflowPage.tsx";

/** The search of pages that only know whose data they show. */
const modeSearch = searchSchema({ mode });
const loginSearch = searchSchema({ next: text(/^\/console/) });
const workflowSearch = searchSchema({ version: text(), other: text() });

const outside = (page: ReactNode) => <main>{page}</main>;

const root = createRootRoute({ component: Outlet, notFoundComponent: () => outside(<NotFound />) });

const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: Setup });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: Login,
  validateSearch: loginSearch,
  beforeLoad: async () => {
    const { needed } = await client.ensureQueryData(queries.setup);
    if (needed) throw redirect({ to: "/setup" });
  },
  errorComponent: (props) => outside(<Failure {...props} />),
});

const ssoReturn = createRoute({ getParentRoute: () => root, path: "/login/sso", component: SSOReturn });

const forgot = createRoute({ getParentRoute: () => root, path: "/forgot", component: Forgot });

const reset = createRoute({ getParentRoute: () => root, path: "/reset", component: Reset });

const join = createRoute({ getParentRoute: () => root, path: "/join", component: Join });

const shell = createRoute({
  getParentRoute: () => root,
  path: "/console",
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await client.ensureQueryData(queries.me);
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 401)
        throw redirect({ to: "/login", search: { next: location.href } });
      throw error;
    }
  },
  errorComponent: (props) => outside(<Failure {...props} />),
});

const overview = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: Overview,
  validateSearch: figuresSearch,
  beforeLoad: async () => {
    const me = await client.ensureQueryData(queries.me);
    if (!me.may.includes("insight.read")) throw redirect({ to: "/console/sessions", search: {} });
  },
});

const analytics = createRoute({
  getParentRoute: () => shell,
  path: "analytics",
  component: Analytics,
  validateSearch: figuresSearch,
});

const system = createRoute({ getParentRoute: () => shell, path: "settings/system", component: System });

const sessions = createRoute({
  getParentRoute: () => shell,
  path: "sessions",
  component: Sessions,
  validateSearch: sessionsSearch,
});

const session = createRoute({ getParentRoute: () => shell, path: "sessions/$id", component: SessionPage });

const developers = [
  createRoute({ getParentRoute: () => shell, path: "developers/keys", component: Keys, validateSearch: modeSearch }),
  createRoute({
    getParentRoute: () => shell,
    path: "developers/webhooks",
    component: Webhooks,
    validateSearch: modeSearch,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "developers/webhooks/$id",
    component: Webhook,
    validateSearch: modeSearch,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "developers/events",
    component: Events,
    validateSearch: modeSearch,
  }),
  createRoute({ getParentRoute: () => shell, path: "developers/logs", component: Logs, validateSearch: logsSearch }),
  createRoute({
    getParentRoute: () => shell,
    path: "developers/sandbox",
    component: Sandbox,
    validateSearch: modeSearch,
  }),
] as const;

const team = createRoute({ getParentRoute: () => shell, path: "settings/team", component: TeamPage });

const audit = createRoute({
  getParentRoute: () => shell,
  path: "settings/audit",
  component: AuditPage,
  validateSearch: auditSearch,
});

const retention = createRoute({ getParentRoute: () => shell, path: "settings/retention", component: RetentionPage });

const trust = createRoute({
  getParentRoute: () => shell,
  path: "settings/trust",
  component: TrustPage,
  validateSearch: modeSearch,
});

const security = createRoute({ getParentRoute: () => shell, path: "settings/security", component: Security });

const account = createRoute({ getParentRoute: () => shell, path: "settings/account", component: Account });

const screening = [
  createRoute({ getParentRoute: () => shell, path: "screening", component: HitsPage, validateSearch: hitsSearch }),
  createRoute({ getParentRoute: () => shell, path: "screening/search", component: SearchPage }),
  createRoute({ getParentRoute: () => shell, path: "settings/watchlists", component: WatchlistsPage }),
  createRoute({ getParentRoute: () => shell, path: "settings/monitoring", component: MonitoringPage }),
] as const;

const seen = [
  createRoute({
    getParentRoute: () => shell,
    path: "duplicates",
    component: DuplicatesPage,
    validateSearch: duplicatesSearch,
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "blocklist",
    component: BlockListPage,
    validateSearch: blockSearch,
  }),
] as const;

const cases = createRoute({
  getParentRoute: () => shell,
  path: "cases",
  component: Queue,
  validateSearch: casesSearch,
});

const oneCase = createRoute({ getParentRoute: () => shell, path: "cases/$id", component: CasePage });

const quality = createRoute({
  getParentRoute: () => shell,
  path: "quality",
  component: Quality,
  validateSearch: qualitySearch,
});

const reviewers = createRoute({
  getParentRoute: () => shell,
  path: "reviewers",
  component: Reviewers,
  validateSearch: reviewersSearch,
});

const workflows = createRoute({
  getParentRoute: () => shell,
  path: "workflows",
  component: Workflows,
  validateSearch: modeSearch,
});

const workflow = createRoute({
  getParentRoute: () => shell,
  path: "workflows/$id",
  component: WorkflowPage,
  validateSearch: workflowSearch,
});

export const router = createRouter({
  routeTree: root.addChildren([
    setup,
    login,
    ssoReturn,
    join,
    forgot,
    reset,
    shell.addChildren([
      overview,
      analytics,
      system,
      sessions,
      session,
      cases,
      oneCase,
      quality,
      reviewers,
      workflows,
      workflow,
      team,
      security,
      retention,
      trust,
      account,
      audit,
      ...screening,
      ...seen,
      ...developers,
    ]),
  ]),
  defaultErrorComponent: Failure,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

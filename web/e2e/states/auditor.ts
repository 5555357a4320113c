import type { CaseFile, CasePage, Claim, Me, Session, SessionFile } from "../../src/api/wire.ts";
import { page as queue, referredCase } from "./cases.ts";
import { me, page, signedIn } from "./desk.ts";
import { referred } from "./session.ts";
import { base, id } from "./specimen.ts";
import type { Api, State } from "./state.ts";

// The console as an auditor sees it: what the server answers them is masked, as internal/httpapi/mask.go says.

export const auditor: Me = {
  ...me,
  id: "usr_06c1q2m3n4p5r6s7t8v9w0ravi",
  name: "Ravi Sen",
  email: "ravi@bank.example",
  roles: ["auditor"],
  may: [
    "sessions.read",
    "reports.read",
    "cases.read",
    "workflows.read",
    "insight.read",
    "keys.read",
    "webhooks.read",
    "audit.read",
    "logs.read",
    "events.read",
  ],
  masked: ["sessions.read", "reports.read", "cases.read"],
};

const hidden = "••••";
const number = (value: string): string => (value.length < 6 ? value && hidden : hidden + value.slice(-2));
const date = (value: string): string => `${value.slice(0, 4)}-••-••`;
const names = (value: string): string =>
  value
    .split(" ")
    .map((one) => `${one[0]}•••`)
    .join(" ");

const kinds: Readonly<Record<string, (value: string) => string>> = {
  family_name: names,
  given_names: names,
  date_of_birth: date,
  date_of_expiry: date,
  date_of_issue: date,
  document_number: number,
};
const fact = (name: string, value: string): string => kinds[name]?.(value) ?? hidden;

const facts = (all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, fact(name, value)]));

const veiledSession = (one: Session): Session => ({
  ...one,
  external_reference: number(one.external_reference),
  claimed: facts(one.claimed),
});
const veiledClaim = (one: Claim): Claim => ({ ...one, value: fact(one.name, one.value) });

function veiledFile(file: SessionFile): SessionFile {
  const { report } = file;
  return {
    ...file,
    session: veiledSession(file.session),
    captures: file.captures.map((one) => ({ ...one, url: "" })),
    artifacts: file.artifacts.map(({ url: _, data: __, ...one }) => one),
    reviews: file.reviews.map((one) => ({ ...one, note: "" })),
    report: report && {
      ...report,
      claims: report.claims.map(veiledClaim),
      document: {
        ...report.document,
        ...(report.document.mrz ? { mrz: { ...report.document.mrz, lines: [], raw_lines: [], second_lines: [] } } : {}),
      },
      checks: report.checks.map(({ finding, ...one }) =>
        finding ? { ...one, finding: { ...finding, measures: bare(finding.measures ?? {}) } } : one,
      ),
    },
  };
}

/** Days left, counted from when a check was settled, would be the date of expiry. */
const bare = ({ days_left: _, ...rest }: Record<string, number>): Record<string, number> => rest;

const veiledPage: CasePage = {
  ...queue,
  items: queue.items.map((one) => ({
    ...one,
    session: { ...one.session, external_reference: number(one.session.external_reference) },
  })),
};
const found: CaseFile = {
  ...referredCase,
  case: {
    ...referredCase.case,
    session: { ...referredCase.case.session, external_reference: number(referredCase.case.session.external_reference) },
  },
  reviews: referredCase.reviews.map((one) => ({ ...one, note: "" })),
};
const shown: SessionFile = veiledFile({ ...referred, case: found.case, reviews: found.reviews });

const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: auditor },
  "GET /v1/console/sessions": {
    json: {
      ...page,
      items: page.items.map(veiledSession),
      about: page.about?.map((one) => ({ ...one, person: facts(one.person) })) ?? [],
    },
  },
  "GET /v1/console/cases": { json: veiledPage },
  "GET /v1/console/cases/events": { hang: true },
  [`GET /v1/console/cases/${found.case.id}`]: { json: found },
  [`GET ${base}`]: { json: shown },
};
const caseId = found.case.id;

export const auditorStates: State[] = [
  { name: "console-auditor-sessions", path: "/console/sessions", api: desk, sees: "Personal data is masked" },
  {
    name: "console-auditor-export",
    path: "/console/sessions",
    api: desk,
    act: async ({ page: tab }) => tab.getByRole("button", { name: "Export" }).click(),
    sees: "Your roles see personal data masked",
  },
  { name: "console-auditor-session", path: `/console/sessions/${id}`, api: desk, sees: "L•••" },
  {
    name: "console-auditor-checks",
    path: `/console/sessions/${id}`,
    api: desk,
    act: async ({ page: tab }) => {
      await tab.getByRole("button", { name: /\d+ passed/ }).click();
      await tab.getByRole("button", { name: /Do selfie and portrait show the same person/ }).click();
    },
    sees: "False non-matches",
  },
  { name: "console-auditor-cases", path: "/console/cases?tab=all", api: desk, sees: "••••10" },
  {
    name: "console-auditor-case",
    path: `/console/cases/${caseId}`,
    api: desk,
    sees: "Assigned to Rolf Brandt until",
  },
];

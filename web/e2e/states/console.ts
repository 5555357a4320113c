import type { Problem } from "../../src/api/wire.ts";
import { auditStates } from "./audit.ts";
import { auditorStates } from "./auditor.ts";
import { caseStates } from "./cases.ts";
import { chipStates } from "./chip.ts";
import { here } from "./desk.ts";
import { developerStates } from "./developers.ts";
import { doorStates } from "./door.ts";
import { editorStates } from "./editor.ts";
import { insightStates } from "./insight.ts";
import { listStates } from "./list.ts";
import { mailStates } from "./mail.ts";
import { retentionStates } from "./retention.ts";
import { screeningStates } from "./screening.ts";
import { seenStates } from "./seen.ts";
import { keepingStates, sessionStates } from "./session.ts";
import type { State } from "./state.ts";
import { teamStates } from "./team.ts";
import { trustStates } from "./trust.ts";
import { workflowStates } from "./workflows.ts";

const refusal: Problem = {
  type: "/docs/errors#auth.invalid",
  code: "auth.invalid",
  title: "The credential is not valid.",
  remedy: "Check that it is complete, not expired and not revoked.",
  status: 401,
  severity: "",
  request_id: "req_7Q2M",
};

export const consoleStates: State[] = [
  {
    name: "console-setup",
    path: "/setup#token=stp_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: { "GET /v1/console/setup": { json: { ...here, needed: true } } },
    sees: "Set up Bonafide",
  },
  {
    name: "console-setup-done",
    path: "/setup",
    api: { "GET /v1/console/setup": { json: here } },
    sees: "This deployment is set up",
  },
  {
    name: "console-login",
    path: "/login",
    api: { "GET /v1/console/setup": { json: here } },
    sees: "Email",
  },
  {
    name: "console-login-wrong",
    path: "/login",
    api: {
      "GET /v1/console/setup": { json: here },
      "POST /v1/console/login": { status: 401, json: refusal },
    },
    act: async ({ page: tab }) => {
      await tab.getByLabel("Email").fill("ida@bank.example");
      await tab.getByLabel("Password", { exact: true }).fill("not the password");
      await tab.getByRole("button", { name: "Sign in" }).click();
    },
    sees: "Wrong email or password.",
  },
  ...insightStates,
  ...listStates,
  ...caseStates,
  ...sessionStates,
  ...chipStates,
  ...keepingStates,
  ...teamStates,
  ...retentionStates,
  ...screeningStates,
  ...seenStates,
  ...workflowStates,
  ...editorStates,
  ...doorStates,
  ...mailStates,
  ...trustStates,
  ...developerStates,
  ...auditorStates,
  ...auditStates,
];

import type {
  Simulation,
  WorkflowComparison,
  WorkflowFile,
  WorkflowHead,
  WorkflowSpec,
  WorkflowVersion,
} from "../../src/api/wire.ts";
import { fromMenu, me, signedIn } from "./desk.ts";
import type { Api, State } from "./state.ts";
import { problem } from "./steps.ts";

const head = (n: number, state: WorkflowHead["state"]): WorkflowHead => ({
  id: `wfv_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  number: n,
  state,
  revision: 3,
  created_at: "2026-11-20T09:00:00Z",
  created_by: me.id,
  changed_at: "2026-11-21T11:00:00Z",
  changed_by: me.id,
  published_at: state === "draft" ? null : "2026-11-20T10:00:00Z",
  published_by: state === "draft" ? "" : me.id,
  retired_at: null,
  retired_by: "",
});

const [published, draft] = [head(2, "published"), head(3, "draft")];
const summary = { id: "wfl_06c1q2m3n4p5r6s7t8v9w0x1y2", mode: "test" as const, name: "default", built_in: true };
const file: WorkflowFile = {
  ...summary,
  published,
  draft,
  versions: 3,
  items: [draft, published, head(1, "retired")],
  offered: [],
};
const settled: WorkflowFile = { ...file, draft: null, items: [published, head(1, "retired")] };

const spec: WorkflowSpec = {
  steps: ["consent", "choose", "document_front", "document_back", "selfie"],
  documents: ["passport", "id_card"],
  countries: ["UTO"],
  accept_specimens: true,
  minimum_age: 18,
  required: [
    "document.readable",
    "document.accepted",
    "document.mrz",
    "document.dates",
    "document.specimen",
    "person.age",
    "face.selfie",
    "face.match",
  ],
  face_fmr: "1e-4",
  face_refer_fmr: "1e-3",
  step_attempts: 3,
  session_attempts: 40,
  link_hours: 48,
  session_hours: 24,
  embed_origins: ["https://shop.example"],
  two_persons: true,
  not_by_creator: false,
  retention: { pictures_hours: 0, report_hours: 0 },
  brand: {
    name: "Example Bank",
    colour: "#f5c518",
    logo: "",
    support: "mailto:help@bank.example",
    privacy: "https://bank.example/privacy",
    languages: ["de", "en", "ar"],
    hello: [{ language: "en", text: "To open your account we have to know that it is you." }],
  },
  rules: [
    // biome-ignore lint/suspicious/noThenProperty: the wire's word; it is no promise
    { name: "Papers of Utopia", when: "document.country ==", then: "referred", reasons: ["document.facts_disagree"] },
  ],
};
const issue = {
  field: "/rules/0/when",
  code: "workflow.invalid_rule" as const,
  message: "Syntax error: mismatched input '<EOF>' expecting {'[', '{', '('}",
  line: 1,
  column: 20,
};
export const draftVersion: WorkflowVersion = {
  ...draft,
  workflow: summary.id,
  mode: "test",
  name: "default",
  liveness_notice: "",
  spec,
  issues: [issue],
};

const simulation: Simulation = {
  next: "",
  totals: {
    decisions: 1204,
    truncated: false,
    changed: 37,
    same: 1149,
    not_simulated: 18,
    from: "2026-08-01T00:00:00Z",
    to: "2026-11-21T11:00:00Z",
    matrix: [
      { from: "approved", to: "approved", count: 1149 },
      { from: "approved", to: "referred", count: 37 },
    ],
    rules: [],
    reasons: [],
    why_not: [{ why: "made_before", message: "Decided before the basis of decisions was recorded.", count: 18 }],
    people: [],
  },
  items: [
    {
      decision: "dec_06c1q2m3n4p5r6s7t8v9w0x1y2",
      session: "ses_06c1q2m3n4p5r6s7t8v9w0x001",
      erased: false,
      at: "2026-11-21T11:00:00Z",
      version: published.id,
      from: "approved",
      from_rule: "every required check passed",
      to: "referred",
      to_rule: "Papers of Utopia",
      before: [],
      reasons: ["document.facts_disagree"],
      person: "approved",
    },
  ],
};

const path = `/v1/console/workflows/${summary.id}`;
export const [draftPath, workflowPage] = [`${path}/versions/${draft.id}`, `/console/workflows/${summary.id}`];
const differences: WorkflowComparison = {
  before: published,
  after: draft,
  items: [
    { field: "/documents", text: "No longer accepted: visas.", effect: "stricter" },
    {
      field: "/face_fmr",
      text: "Face match: passes from a similarity of 0.38 (was 0.42). About 1 in 330 strangers would pass (was 1 in 1\u202f000), and 0.4\u00a0% of genuine applicants would not (was 1.3\u00a0%).",
      effect: "looser",
    },
    {
      field: "/rules",
      text: 'Rule “Papers of Utopia” was added: if “document.country == "UTO"”, the session is referred.',
      effect: "neither",
    },
  ],
};
const rates = {
  face: {
    model: "face-embed",
    measure: "cosine",
    data_set: "a public set of faces",
    date: "2026-11-20",
    command: "bonafide bench",
    on_people: true,
    genuine: 3000,
    impostors: 100_000,
    points: [
      { fmr: "1e-3", threshold: 0.231, fnmr: 0.004, false_matches: 100, false_refusals: 12 },
      { fmr: "1e-4", threshold: 0.284, fnmr: 0.011, false_matches: 10, false_refusals: 33 },
    ],
  },
  liveness: {
    data_set: "runs of generated heads",
    date: "2026-11-20",
    command: "bonafide bench liveness",
    on_people: false,
    refused: { count: 7, of: 200 },
    attacks: [{ attack: "a photo that is moved", succeed: { count: 0, of: 50 } }],
    worst: "a photo that is moved",
  },
  signals: [
    {
      check: "liveness.passive",
      data_set: "runs of generated heads",
      date: "2026-11-23",
      command: "bonafide bench liveness",
      acted: { count: 13, of: 16 },
      pictures: [
        { data_set: "published portraits", date: "2026-11-23", command: "go test", doubted: { count: 2, of: 64 } },
      ],
      attacks: [{ attack: "a face that is warped", succeed: { count: 4, of: 16 } }],
      worst: "a face that is warped",
      unseen: { count: 0, of: 0 },
    },
    {
      check: "liveness.head",
      data_set: "runs of generated heads",
      date: "2026-11-23",
      command: "bonafide bench liveness",
      acted: { count: 0, of: 16 },
      pictures: [],
      attacks: [{ attack: "a generic head", succeed: { count: 10, of: 16 } }],
      worst: "a generic head",
      unseen: { count: 0, of: 0 },
    },
    {
      check: "liveness.light",
      data_set: "runs in simulated light",
      date: "2026-11-24",
      command: "bonafide bench light",
      acted: { count: 1, of: 150 },
      pictures: [],
      attacks: [{ attack: "a person who is tinted", succeed: { count: 18, of: 20 } }],
      worst: "a person who is tinted",
      unseen: { count: 60, of: 150 },
    },
  ],
  signs: [
    {
      check: "document.edits",
      sign: "portrait_history",
      data_set: "generated documents",
      date: "2026-11-23",
      command: "bonafide bench edits",
      on_people: false,
      threshold: 0.65,
      ranges: [
        {
          from: 10,
          false_alarms: { count: 0, of: 50 },
          attacks: [{ attack: "a pasted portrait", succeed: { count: 9, of: 15 } }],
        },
      ],
    },
  ],
};
const question = (check: string, always = false) => ({ check, always, selfie: false, signal: false });
export const language = {
  variables: [{ name: "document.country", type: "string", doc: "Issuing state.", values: [], known: "" }],
  functions: [],
  examples: [],
  limits: { rules: 50, condition: 1000, name: 80, reasons: 10 },
  reasons: [{ code: "document.facts_disagree", text: "Two sources state different facts.", declines: false }],
  steps: [
    { step: "consent", always: true },
    { step: "choose", always: true },
    { step: "document_front", always: true },
    { step: "document_back", always: false },
    { step: "selfie", always: false },
  ],
  documents: ["passport", "id_card", "visa", "residence_permit", "driving_licence"],
  countries: [{ code: "UTO", iso: "UTO", name: "Utopia" }],
  checks: [
    question("document.readable", true),
    question("document.accepted", true),
    question("document.mrz"),
    question("document.dates"),
    question("document.expiry"),
    question("document.specimen", true),
    question("document.original"),
    question("document.portrait"),
    question("document.edits"),
    question("document.facts"),
    question("document.sides"),
    question("person.claims"),
    question("person.age"),
    { ...question("face.selfie"), selfie: true },
    { ...question("face.match"), selfie: true },
    { ...question("liveness.passive"), selfie: true, signal: true },
    { ...question("liveness.challenge"), selfie: true },
    { ...question("liveness.head"), selfie: true, signal: true },
    { ...question("liveness.light"), selfie: true, signal: true },
    { ...question("liveness.replay"), selfie: true },
    question("chip.authentic"),
    question("chip.copy"),
    question("chip.revocation"),
    question("chip.zone"),
  ],
  face_fmr: ["1e-2", "1e-3", "1e-4", "1e-5"],
};

export const workflowApi: Api = {
  ...signedIn,
  "GET /v1/console/me": {
    json: { ...me, may: [...me.may, "workflows.read", "workflows.write", "workflows.publish"] },
  },
  "GET /v1/console/workflows": {
    json: { items: [file, { ...settled, id: "wfl_2", name: "no_liveness", published: null, versions: 1 }] },
  },
  [`GET ${path}`]: { json: file },
  [`GET ${draftPath}`]: { json: draftVersion },
  [`GET ${path}/versions/${published.id}`]: {
    json: { ...draftVersion, ...published, issues: [], spec: { ...spec, rules: [] } },
  },
  [`GET ${path}/versions/${draft.id}/differences`]: { json: differences },
  [`GET ${path}/versions/${published.id}/differences`]: { json: { ...differences, after: published, items: [] } },
  [`GET ${path}/figures`]: {
    json: {
      items: [
        {
          version: published,
          created: 1480,
          submitted: 1204,
          decided: 1167,
          approved: 1043,
          declined: 124,
          referred: 37,
          by_policy: 1020,
          automatic_share: 0.874,
          p50_seconds: 41,
        },
      ],
    },
  },
  [`POST ${path}/simulate`]: { json: simulation },
  "POST /v1/console/workflows/check": { json: { items: [issue] } },
  "GET /v1/console/workflows/language": { json: language },
  "GET /v1/console/workflows/thresholds": { json: rates },
};

export const workflowStates: State[] = [
  {
    name: "console-workflow-new",
    path: "/console/workflows",
    api: workflowApi,
    act: async ({ page }) => {
      await page.getByRole("button", { name: "New workflow" }).click();
      await page.getByLabel("Start from").selectOption("high_risk");
    },
    sees: "two reviewers for manual approvals",
  },
  {
    name: "console-workflow-test",
    path: workflowPage,
    api: workflowApi,
    act: async ({ page }) => {
      await fromMenu(page, "Test on one case");
      await page.getByLabel("Session", { exact: true }).selectOption({ index: 1 });
      await page.getByRole("button", { name: "Test", exact: true }).click();
    },
    sees: "This draft would decide",
  },
  { name: "console-workflows", path: "/console/workflows", api: workflowApi, sees: "no_liveness" },
  {
    name: "console-workflow-draft",
    path: workflowPage,
    api: workflowApi,
    act: async ({ page }) => {
      await page.getByText("Line 1, column 20:").waitFor();
      await page.getByRole("button", { name: "Try on past cases" }).click();
    },
    sees: "Before and after",
  },
  {
    name: "console-workflow-chip",
    path: workflowPage,
    api: workflowApi,
    act: async ({ page }) => {
      const chip = page.getByRole("group", { name: "Document chip" });
      await chip.getByRole("radio", { name: /^Optional/ }).check();
      await chip.scrollIntoViewIfNeeded();
    },
    sees: "Any chip that is accepted has to pass this.",
  },
  {
    name: "console-workflow-brand",
    path: workflowPage,
    api: workflowApi,
    act: async ({ page }) => {
      await page.getByText(/The light theme uses #[0-9a-f]{6}/).waitFor();
      await page.getByLabel("Display name").evaluate((field) => field.scrollIntoView({ block: "start" }));
    },
    sees: "How the first screen looks on a phone, in light and dark themes. Fields left empty here use the deployment's settings.",
  },
  {
    name: "console-workflow-signals",
    path: workflowPage,
    api: {
      ...workflowApi,
      [`GET ${draftPath}`]: {
        json: {
          ...draftVersion,
          spec: {
            ...spec,
            required: [...spec.required, "liveness.challenge", "liveness.head", "liveness.replay"],
          },
        },
      },
    },
    act: async ({ page }) => {
      const signals = page.getByRole("group", { name: "Liveness signals" });
      await signals.evaluate((group) => group.scrollIntoView({ block: "start" }));
    },
    sees: "Not measured on live people.",
  },
  {
    name: "console-workflow-offer",
    path: workflowPage,
    api: {
      ...workflowApi,
      [`GET ${path}`]: { json: { ...settled, offered: ["document.edits", "liveness.passive", "liveness.head"] } },
    },
    act: ({ page }) => page.getByRole("button", { name: "Try on past cases" }).click(),
    sees: "Before and after",
  },
  {
    name: "console-workflow-offer-draft",
    path: workflowPage,
    api: { ...workflowApi, [`GET ${path}`]: { json: { ...file, offered: ["liveness.head"] } } },
    sees: "There is already a draft. Turn them on there.",
  },
  {
    name: "console-workflow-publish",
    path: workflowPage,
    api: {
      ...workflowApi,
      "POST /v1/console/workflows/check": { json: { items: [] } },
      [`GET ${draftPath}`]: {
        json: { ...draftVersion, issues: [], liveness_notice: "liveness_not_required" },
      },
    },
    act: ({ page }) => fromMenu(page, "Publish …"),
    sees: "Version 3 compared with version 2:",
  },
  {
    name: "console-workflow-published",
    path: workflowPage,
    api: {
      ...workflowApi,
      "GET /v1/console/me": { json: { ...me, may: [...me.may, "workflows.read"] } },
      [`GET ${path}`]: { json: settled },
    },
    sees: "This version is final.",
  },
  {
    name: "console-workflow-conflict",
    path: workflowPage,
    api: {
      ...workflowApi,
      [`PUT ${path}/draft`]: {
        status: 409,
        json: {
          ...problem("workflow.conflict", "Somebody changed the workflow meanwhile.", "", 409),
          detail: "Changed at 11:31:00 UTC.",
        },
      },
    },
    act: async ({ page }) => {
      await page.getByLabel("Nobody can decide a session that they created").check();
      await page.getByRole("button", { name: "Save draft" }).click();
    },
    sees: "Use their changes",
  },
];

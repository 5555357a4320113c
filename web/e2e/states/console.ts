import type {
  Check,
  Claim,
  Me,
  Problem,
  ProblemRow,
  Session,
  SessionFile,
  SessionPage,
  SessionState,
} from "../../src/api/wire.ts";
import type { Api, Shown, State } from "./state.ts";

const id = "ses_06c1q2m3n4p5r6s7t8v9w0x1y2";
const me: Me = {
  id: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
  name: "Ida Lindqvist",
  email: "ida@bank.example",
  roles: ["owner"],
  may: ["sessions.read"],
};
const digest = "9f2c4be07a1d5a63c1e8b7f6d5c4b3a291807f6e5d4c3b2a1908f7e6d5c4b3a2";

const session = (more: Partial<Session>): Session => ({
  id,
  mode: "test",
  state: "approved",
  outcome: "approved",
  external_reference: "customer-4711",
  metadata: {},
  claimed: {},
  workflow: {
    id: "wfv_06c1q2m3n4p5r6s7t8v9w0x1y2",
    name: "default",
    number: 1,
    liveness_notice: "liveness_not_required",
  },
  document_kind: "passport",
  last_problem: null,
  locale: "en",
  return_url: "",
  created_at: "2026-11-21T11:31:00Z",
  link_expires_at: "2026-11-23T11:31:00Z",
  expires_at: "2026-11-22T11:32:00Z",
  opened_at: "2026-11-21T11:32:00Z",
  submitted_at: "2026-11-21T11:33:10Z",
  decided_at: "2026-11-21T11:33:14Z",
  erased_at: null,
  ...more,
});

const row = (n: number, state: SessionState, reference: string, more: Partial<Session> = {}): Session =>
  session({
    id: `ses_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
    state,
    external_reference: reference,
    outcome:
      state === "approved" ? "approved" : state === "declined" ? "declined" : state === "in_review" ? "referred" : null,
    decided_at: ["approved", "declined", "in_review"].includes(state) ? "2026-11-21T11:33:14Z" : null,
    document_kind: ["created"].includes(state) ? null : "passport",
    created_at: new Date(Date.UTC(2026, 10, 21, 11, 31 - n * 7)).toISOString(),
    ...more,
  });

const items: Session[] = [
  row(1, "processing", "customer-4712"),
  row(2, "in_review", "customer-4710", { last_problem: { code: "face.uncertain", step: "selfie" } }),
  row(3, "approved", "customer-4709", { document_kind: "id_card" }),
  row(4, "declined", "customer-4708", { last_problem: { code: "document.expired", step: "" } }),
  row(5, "capturing", "", { document_kind: "driving_licence" }),
  row(6, "approved", "customer-4706"),
  row(7, "created", "customer-4705"),
  row(8, "expired", "onboarding/2026-11-20/a-rather-long-reference-of-an-integrator"),
  row(9, "cancelled", "customer-4703", { last_problem: { code: "consent.declined", step: "consent" } }),
];
const page: SessionPage = {
  items,
  next: "cursor",
  counts: {
    created: 3,
    capturing: 1,
    processing: 1,
    in_review: 2,
    approved: 128,
    declined: 9,
    expired: 14,
    cancelled: 2,
  },
};
const nothing: SessionPage = { items: [], next: "", counts: {} };

const problemRow = (
  code: ProblemRow["code"],
  severity: ProblemRow["severity"],
  title: string,
  reviewer: string,
): ProblemRow => ({ code, status: 422, severity, reader: "applicant", title, remedy: "", reviewer });
const catalogue = {
  items: [
    problemRow(
      "face.uncertain",
      "refer",
      "We are not sure that the photos show the same person.",
      "Similarity lies in the band between FMR 1:1 000 and 1:10 000.",
    ),
    problemRow(
      "document.expired",
      "final",
      "This document has expired.",
      "The expiry date is before the server's date.",
    ),
    problemRow(
      "document.facts_disagree",
      "refer",
      "Parts of the document say different things.",
      "Two sources state different facts; see the field table.",
    ),
    problemRow(
      "check.not_run",
      "refer",
      "A check could not run.",
      "This check was not run, so it says nothing either way.",
    ),
    problemRow(
      "liveness.failed",
      "refer",
      "We could not confirm the picture.",
      "The passive liveness signal is low. It is one signal and never the decision.",
    ),
    problemRow("consent.declined", "final", "You declined.", "The applicant declined biometric processing."),
  ],
};

const check = (kind: string, finding: Check["finding"], more: Partial<Check> = {}): Check => ({
  kind,
  required: true,
  lifecycle: "settled",
  duration_ns: 3_200_000,
  input_digest: digest,
  settled_at: "2026-11-21T11:33:13Z",
  ...(finding ? { finding } : {}),
  ...more,
});
const passed: Check["finding"] = { outcome: "pass", reasons: [] };

const face = (
  score: number,
  fmr: number,
  outcome: "pass" | "fail" | "inconclusive",
  reasons: NonNullable<Check["finding"]>["reasons"],
): Check["finding"] => ({
  outcome,
  reasons,
  score,
  threshold: 0.291,
  refer_below: 0.347,
  error_rates: { fmr: 0.001, fnmr: 0.021, data_set: "lfw-1-5", on_people: true },
  measures: { fmr_at_score: fmr, fmr_at_pass: 0.0001, fnmr_at_pass: 0.034 },
  models: [{ name: "face-template", version: "fr_feature 0.0.1", sha256: digest }],
});

const checks = (match: Check["finding"], more: Check[] = []): Check[] => [
  check("document.readable", { ...passed, measures: { sharpness: 212.4, glare_area: 0.004, brightness: 0.61 } }),
  check("document.accepted", passed),
  check("document.mrz", passed),
  check("document.dates", passed),
  check("document.expiry", { ...passed, measures: { days_left: 2376 } }),
  check("document.specimen", { ...passed, note: "A specimen, accepted in test mode." }),
  check("document.facts", passed),
  check("document.sides", undefined, { lifecycle: "skipped" }),
  check("person.claims", passed),
  check("person.age", undefined, { lifecycle: "skipped" }),
  check("face.selfie", passed),
  check("face.match", match),
  check(
    "liveness.passive",
    {
      outcome: "pass",
      reasons: [],
      score: 0.87,
      threshold: 0.55,
      error_rates: { bpcer: 0.02, data_set: "minivision-3", on_people: true, note: "three frames only" },
      note: "One signal, never the decision.",
    },
    { required: false },
  ),
  ...more,
];

// Where things stand on the specimen of seed 3, as parts of the picture.
const claim = (
  name: string,
  value: string,
  source: Claim["source"],
  box?: [number, number, number, number],
): Claim => ({
  name,
  value,
  source,
  confidence: source === "claimed" ? 1 : 0.98,
  ...(box ? { capture: "cap_front", side: "front", box: { x: box[0], y: box[1], width: box[2], height: box[3] } } : {}),
});
const mrzBox: [number, number, number, number] = [0.11, 0.71, 0.75, 0.055];
const mrzBox2: [number, number, number, number] = [0.11, 0.762, 0.75, 0.08];
const claims: Claim[] = [
  claim("family_name", "LINDQVIST", "printed", [0.38, 0.245, 0.115, 0.03]),
  claim("family_name", "LINDQVIST", "mrz", mrzBox),
  claim("given_names", "OSKAR", "printed", [0.382, 0.31, 0.075, 0.03]),
  claim("given_names", "OSKAR", "mrz", mrzBox),
  claim("date_of_birth", "1984-10-27", "printed", [0.386, 0.434, 0.125, 0.032]),
  claim("date_of_birth", "1984-10-27", "mrz", mrzBox2),
  claim("document_number", "PG2051318", "printed", [0.684, 0.167, 0.107, 0.03]),
  claim("document_number", "PG2051318", "mrz", mrzBox2),
  claim("date_of_expiry", "2033-05-24", "printed", [0.392, 0.622, 0.17, 0.034]),
  claim("date_of_expiry", "2033-05-24", "mrz", mrzBox2),
  claim("nationality", "UTO", "mrz", mrzBox2),
  claim("sex", "M", "printed", [0.389, 0.5, 0.018, 0.03]),
  claim("sex", "M", "mrz", mrzBox2),
];
const mrz = {
  format: "TD3",
  lines: ["P<UTOLINDQVIST<<OSKAR<<<<<<<<<<<<<<<<<<<<<<<", "PG20513183UTO8410272M33052459292862788<<<<18"],
  raw_lines: ["P<UTOLINDQVIST<<OSKAR<<<<<<<<<<<<<<<<<<<<<<<", "PG20513183UTO8410272M33052459292862788<<<<18"],
  second_lines: ["P<UTOLINDQVIST<<OSKAR<<<<<<<<<<<<<<<<<<<<<<<", "PG20513183UTO8410272M33052459292862788<<<<18"],
  check_digits_ok: true,
  readers_agree: true,
  printed_zone: "agrees" as const,
  verified: true,
  confidence: 0.99,
  boxes: [
    { x: 0.11, y: 0.71, width: 0.745, height: 0.07 },
    { x: 0.11, y: 0.765, width: 0.75, height: 0.075 },
  ],
  failed_checks: [],
};

const base = `/v1/console/sessions/${id}`;
const captures: SessionFile["captures"] = [
  {
    id: "cap_front",
    step: "document_front",
    side: "front",
    kind: "document_image",
    width: 1600,
    height: 1200,
    created_at: "2026-11-21T11:32:40Z",
    url: `${base}/evidence/cap_front`,
  },
  {
    id: "cap_selfie",
    step: "selfie",
    side: "",
    kind: "face_image",
    width: 1280,
    height: 720,
    created_at: "2026-11-21T11:33:10Z",
    url: `${base}/evidence/cap_selfie`,
  },
];
const artifacts: SessionFile["artifacts"] = [
  {
    id: "art_page",
    capture: "cap_front",
    kind: "page",
    side: "front",
    present: true,
    absent: "",
    data: { turn: 0, width: 1600, height: 1200 },
  },
  { id: "art_mrz", capture: "cap_front", kind: "mrz", side: "front", present: true, absent: "", data: mrz },
  {
    id: "art_portrait",
    capture: "cap_front",
    kind: "portrait",
    side: "front",
    present: true,
    absent: "",
    data: { box: { x: 0.157, y: 0.35, width: 0.135, height: 0.25 }, score: 0.98 },
    url: `${base}/artifacts/art_portrait`,
  },
  {
    id: "art_selfie",
    capture: "cap_selfie",
    kind: "selfie",
    side: "",
    present: true,
    absent: "",
    data: { face: { box: { x: 0.41, y: 0.3, width: 0.18, height: 0.44 }, score: 0.99 } },
    url: `${base}/artifacts/art_selfie`,
  },
];
const timeline: SessionFile["timeline"] = [
  { id: "evt_1", type: "session.created", at: "2026-11-21T11:31:00Z", actor: "user", payload: { mode: "test" } },
  { id: "evt_2", type: "session.opened", at: "2026-11-21T11:32:00Z", actor: "applicant" },
  {
    id: "evt_3",
    type: "session.captured",
    at: "2026-11-21T11:32:40Z",
    actor: "applicant",
    payload: { step: "document_front" },
  },
  {
    id: "evt_4",
    type: "session.captured",
    at: "2026-11-21T11:33:10Z",
    actor: "applicant",
    payload: { step: "selfie" },
  },
  { id: "evt_5", type: "session.submitted", at: "2026-11-21T11:33:10Z", actor: "applicant" },
  {
    id: "evt_6",
    type: "session.decided",
    at: "2026-11-21T11:33:14Z",
    actor: "system",
    payload: { outcome: "approved" },
  },
];

const file = (more: Partial<SessionFile>, all: Check[], facts: Claim[] = claims): SessionFile => ({
  session: session({}),
  report: {
    document: { kind: "passport", issuer: "UTO", mrz },
    checks: all,
    claims: facts,
    notices: ["liveness_not_required"],
    made_at: "2026-11-21T11:33:14Z",
    digest,
  },

  decisions: [
    {
      id: "dec_1",
      outcome: "approved",
      reasons: [],
      rule: "every required check passed",
      by: "policy",
      note: "",
      report: "rep_1",
      report_digest: digest,
      decided_at: "2026-11-21T11:33:14Z",
    },
  ],
  captures,
  artifacts,
  timeline,
  ...more,
});

const approved = file({}, checks(face(0.712, 0.000002, "pass", [])));
const referred = file(
  {
    session: session({
      state: "in_review",
      outcome: "referred",
      external_reference: "customer-4710",
      claimed: { family_name: "Lindquist", date_of_birth: "1984-10-27" },
    }),
    decisions: [
      {
        id: "dec_1",
        outcome: "referred",
        reasons: [{ code: "face.uncertain", step: "selfie" }],
        rule: "a refer reason",
        by: "policy",
        note: "",
        report: "rep_1",
        report_digest: digest,
        decided_at: "2026-11-21T11:33:14Z",
      },
    ],
  },
  checks(face(0.3171, 0.0004, "inconclusive", [{ code: "face.uncertain", step: "selfie" }]), [
    check("document.barcode", undefined, { lifecycle: "broken", broken_by: "The model text-read is missing." }),
  ]).map((one) =>
    one.kind === "document.facts"
      ? check("document.facts", {
          outcome: "inconclusive",
          reasons: [{ code: "document.facts_disagree", claim: "date_of_birth", sources: ["printed", "mrz"] }],
          measures: { compared: 7, disagree: 1 },
        })
      : one,
  ),
  claims.map((one) =>
    one.name === "date_of_birth" && one.source === "printed" ? { ...one, value: "1984-10-21" } : one,
  ),
);
const declined = file(
  {
    session: session({ state: "declined", outcome: "declined", external_reference: "customer-4708" }),
    decisions: [
      {
        id: "dec_1",
        outcome: "declined",
        reasons: [{ code: "document.expired" }],
        rule: "a final reason",
        by: "policy",
        note: "",
        report: "rep_1",
        report_digest: digest,
        decided_at: "2026-11-21T11:33:14Z",
      },
    ],
  },
  checks(face(0.684, 0.000002, "pass", [])).map((one) =>
    one.kind === "document.expiry"
      ? check("document.expiry", {
          outcome: "fail",
          reasons: [{ code: "document.expired", claim: "date_of_expiry" }],
          measures: { days_left: -812 },
        })
      : one,
  ),
);
const early = file(
  {
    session: session({ state: "created", outcome: null, document_kind: null, decided_at: null }),
    report: null,
    decisions: [],
    captures: [],
    artifacts: [],
    timeline: timeline.slice(0, 1),
  },
  [],
);

const refusal: Problem = {
  type: "/docs/errors#auth.invalid",
  code: "auth.invalid",
  title: "The credential is not valid.",
  remedy: "Check that it is complete, not expired and not revoked.",
  status: 401,
  severity: "",
  request_id: "req_7Q2M",
};

const signedIn: Api = {
  "GET /v1/console/me": { json: me },
  "GET /v1/console/setup": { json: { needed: false } },
  "GET /v1/console/sessions": { json: page },
  "GET /v1/catalogue": { json: catalogue },
  "GET /v1/console/events": { hang: true },
};

const one = (shown: SessionFile): Api => ({ ...signedIn, [`GET ${base}`]: { json: shown } });
const open =
  (name: string) =>
  async ({ page: tab }: Shown) =>
    tab.getByRole("button", { name }).first().click();

export const consoleStates: State[] = [
  {
    name: "console-setup",
    path: "/setup#token=stp_8v9w0x1y2z3a4b5c6d7e8f9g0h",
    api: { "GET /v1/console/setup": { json: { needed: true } } },
    sees: "Set up Bonafide",
  },
  {
    name: "console-setup-done",
    path: "/setup",
    api: { "GET /v1/console/setup": { json: { needed: false } } },
    sees: "This deployment is set up",
  },
  {
    name: "console-login",
    path: "/login",
    api: { "GET /v1/console/setup": { json: { needed: false } } },
    sees: "E-mail",
  },
  {
    name: "console-login-wrong",
    path: "/login",
    api: {
      "GET /v1/console/setup": { json: { needed: false } },
      "POST /v1/console/login": { status: 401, json: refusal },
    },
    act: async ({ page: tab }) => {
      await tab.getByLabel("E-mail").fill("ida@bank.example");
      await tab.getByLabel("Password", { exact: true }).fill("not the password");
      await tab.getByRole("button", { name: "Sign in" }).click();
    },
    sees: "That e-mail and password do not belong together.",
  },
  { name: "console-sessions", path: "/console/sessions", api: signedIn, sees: "customer-4712" },
  {
    name: "console-sessions-filtered",
    path: "/console/sessions?state=in_review",
    api: { ...signedIn, "GET /v1/console/sessions": { json: { ...page, items: items.slice(1, 2), next: "" } } },
    sees: "customer-4710",
  },
  {
    name: "console-sessions-empty",
    path: "/console/sessions",
    api: { ...signedIn, "GET /v1/console/sessions": { json: nothing } },
    sees: "No sessions yet",
  },
  {
    name: "console-sessions-none",
    path: "/console/sessions?q=nobody",
    api: { ...signedIn, "GET /v1/console/sessions": { json: nothing } },
    sees: "Nothing matches",
  },
  {
    name: "console-new-session",
    path: "/console/sessions",
    api: signedIn,
    act: open("New test session"),
    sees: "Make the session",
  },
  {
    name: "console-new-session-ready",
    path: "/console/sessions",
    api: {
      ...signedIn,
      "POST /v1/console/sessions": {
        json: session({ state: "created", url: "http://localhost:8080/v/Xr2bq0bqj3vJ0rC2v8v9w0x1y2Zk3m4n5p6q7r8s9t0" }),
      },
    },
    act: async (shown) => {
      await open("New test session")(shown);
      await open("Make the session")(shown);
    },
    sees: "The link is ready",
  },
  {
    name: "console-palette",
    path: "/console/sessions",
    api: signedIn,
    act: async ({ page: tab }) => {
      await tab.getByText("customer-4712").waitFor();
      await tab.keyboard.press("Control+k");
      await tab.getByRole("combobox").fill("rev");
    },
    sees: "Sessions · In review",
  },
  { name: "console-session-approved", path: `/console/sessions/${id}`, api: one(approved), sees: "Facts by source" },
  {
    name: "console-session-check-open",
    path: `/console/sessions/${id}`,
    api: one(approved),
    act: async (shown) => {
      await shown.page.getByRole("button", { name: /11 passed/ }).click();
      await shown.page.getByRole("button", { name: /Is it the person of the portrait/ }).click();
      await shown.page.getByRole("button", { name: "PG2051318" }).first().click();
    },
    sees: "False non-matches",
  },
  {
    name: "console-session-referred",
    path: `/console/sessions/${id}`,
    api: one(referred),
    sees: "Referred to a person",
  },
  { name: "console-session-declined", path: `/console/sessions/${id}`, api: one(declined), sees: "Facts by source" },
  {
    name: "console-session-new",
    path: `/console/sessions/${id}`,
    api: one(early),
    sees: "The person has not opened the link.",
  },
  { name: "console-session-unknown", path: `/console/sessions/${id}`, api: signedIn, sees: "There is no such session" },
];

/** The pictures of the evidence: which file answers which address. */
export const evidence = (pictures: Shown["pictures"]): Api => ({
  [`GET ${base}/evidence/cap_front`]: { file: pictures.document },
  [`GET ${base}/evidence/cap_selfie`]: { file: pictures.selfie },
  [`GET ${base}/artifacts/art_portrait`]: { file: pictures.portrait },
  [`GET ${base}/artifacts/art_selfie`]: { file: pictures.face },
});

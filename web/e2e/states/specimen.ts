import type { Check, Claim, Fact, Session, SessionFile } from "../../src/api/wire.ts";

// One session as the server tells of it, and what it is made of.

export const id = "ses_06c1q2m3n4p5r6s7t8v9w0x1y2";

export const digest = "9f2c4be07a1d5a63c1e8b7f6d5c4b3a291807f6e5d4c3b2a1908f7e6d5c4b3a2";

export const session = (more: Partial<Session>): Session => ({
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
  country: "UTO",
  last_problem: null,
  locale: "en",
  return_url: "",
  applicant: null,
  created_at: "2026-11-21T11:31:00Z",
  link_expires_at: "2026-11-23T11:31:00Z",
  expires_at: "2026-11-22T11:32:00Z",
  opened_at: "2026-11-21T11:32:00Z",
  submitted_at: "2026-11-21T11:33:10Z",
  decided_at: "2026-11-21T11:33:14Z",
  erased_at: null,
  follows: null,
  followed_by: null,
  verified: null,
  keeping: {
    pictures_until: "2027-02-19T11:33:14Z",
    report_until: "2027-11-21T11:33:14Z",
    pictures_erased_at: null,
    held_since: null,
  },
  ...more,
});

export const check = (kind: string, finding: Check["finding"], more: Partial<Check> = {}): Check => ({
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

export const face = (
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

export const checks = (match: Check["finding"], more: Check[] = []): Check[] => [
  check("document.readable", { ...passed, measures: { sharpness: 212.4, glare_area: 0.004, brightness: 0.61 } }),
  check("document.accepted", passed),
  check("document.mrz", passed),
  check("document.dates", passed),
  check("document.expiry", { ...passed, measures: { days_left: 2376 } }),
  check("document.specimen", { ...passed, note: "It is a specimen, which this workflow accepts." }),
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
export const claims: Claim[] = [
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
  cut_off: false,
  printed_zone: "agrees" as const,
  verified: true,
  confidence: 0.99,
  boxes: [
    { x: 0.11, y: 0.71, width: 0.745, height: 0.07 },
    { x: 0.11, y: 0.765, width: 0.75, height: 0.075 },
  ],
  failed_checks: [],
  doubts: [],
};

export const base = `/v1/console/sessions/${id}`;
const captures: SessionFile["captures"] = [
  {
    id: "cap_front",
    step: "document_front",
    side: "front",
    kind: "document_image",
    source: "camera",
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
    source: "file",
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
    producer: "optical",
    version: "2",
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
export const timeline: SessionFile["timeline"] = [
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
    type: "session.approved",
    at: "2026-11-21T11:33:14Z",
    actor: "system",
    payload: { outcome: "approved" },
  },
];

const fact = (value: string | null, more: Partial<Fact> = {}): Fact => ({
  value,
  rule: "zone",
  spelling: "printed",
  sources: ["mrz", "printed"],
  disagree: [],
  correction: null,
  ...more,
});

const verified: SessionFile["verified"] = {
  credentials: [],
  family_name: fact("Eriksson"),
  given_names: fact("Anna María"),
  date_of_birth: fact("1974-08-12"),
  sex: fact("F", { spelling: "mrz" }),
  nationality: fact("UTO", { spelling: "mrz" }),
  address: fact("Storgatan 1, Zenith", {
    rule: "correction",
    spelling: "reviewer",
    sources: ["reviewer"],
    disagree: ["printed"],
    correction: { by: "reviewer", at: "2026-11-21T11:40:00Z" },
  }),
  document: {
    kind: fact("passport", { spelling: "mrz", sources: ["mrz"] }),
    number: fact("L898902C3", { spelling: "mrz" }),
    issuer: fact("UTO", { spelling: "mrz" }),
    date_of_issue: null,
    date_of_expiry: fact(null, { rule: "contradicted", spelling: null, sources: [], disagree: ["mrz", "printed"] }),
  },
};

export const file = (more: Partial<SessionFile>, all: Check[], facts: Claim[] = claims): SessionFile => ({
  session: session({}),
  report: {
    document: { kind: "passport", issuer: "UTO", mrz },
    checks: all,
    claims: facts,
    notices: ["liveness_not_required"],
    made_at: "2026-11-21T11:33:14Z",
    digest,
  },
  verified,
  holds: [],
  receipt: null,
  related: [],
  earlier: [],
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
      assurance: {
        level: "substantial",
        met: ["document_settled", "no_fraud", "face_matched", "liveness", "attacks_bounded"],
        missing: ["document_signed", "signed_face"],
      },
    },
  ],
  captures,
  artifacts,
  timeline,
  case: null,
  reviews: [],
  members: [],
  ...more,
});

import type { Assigning, Case, CaseFile, CasePage, QualityReview, ReviewerFigure } from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import { referred } from "./session.ts";
import { base, digest, id } from "./specimen.ts";
import type { Api, Shown, State } from "./state.ts";

// The review queue and the page of a case. Times count from now: what is late must be late whenever this runs.

const minutes = (n: number): string => new Date(Date.now() + n * 60_000).toISOString();
const rolf = { id: "usr_06c1q2m3n4p5r6s7t8v9w0rolf", name: "Rolf Brandt" };
const ida = { id: owner.id, name: owner.name };
const caseId = "cas_06c1q2m3n4p5r6s7t8v9w0x1y2";

const one = (n: number, reference: string, due: number, more: Partial<Case> = {}): Case => ({
  id: n === 0 ? caseId : `cas_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
  mode: "test",
  state: "open",
  session: {
    id,
    state: "in_review",
    external_reference: reference,
    document_kind: "passport",
    person: { given_names: "ANNA MARIA", family_name: "LINDQVIST" },
    created_by: "",
    created_at: minutes(due - 250),
  },
  workflow: { id: "wfv_1", name: "default", number: 1, liveness_notice: "" },
  reasons: ["face.uncertain"],
  version: 0,
  report_digest: digest,
  assignee: null,
  claimed_until: null,
  two_persons: false,
  not_by_creator: false,
  approved_by: null,
  opened_at: minutes(due - 240),
  due_at: minutes(due),
  closed_at: null,
  ...more,
});

const held = { state: "claimed" as const, assignee: rolf, claimed_until: minutes(12) };
const mine = { state: "claimed" as const, assignee: ida, claimed_until: minutes(18) };

const counts = { unclaimed: 4, mine: 1, all: 7 };
export const page: CasePage = {
  items: [
    one(1, "customer-4698", -312),
    one(2, "customer-4701", -9, { reasons: ["document.facts_disagree", "face.uncertain"] }),
    one(3, "", 41, { reasons: ["check.not_run"] }),
    one(0, "customer-4710", 175),
    one(5, "onboarding/2026-11-20/a-rather-long-reference-of-an-integrator", 190, held),
    one(6, "customer-4712", 214, {
      ...mine,
      workflow: { id: "wfv_2", name: "four-eyes", number: 3, liveness_notice: "" },
    }),
    one(7, "customer-4713", 231, { approved_by: rolf, two_persons: true }),
  ],
  next: "",
  counts,
};
const nothing: CasePage = { items: [], next: "", counts: { unclaimed: 0, mine: 0, all: 0 } };

const found = (more: Partial<Case>, reviews: CaseFile["reviews"] = []): CaseFile => ({
  case: one(0, "customer-4710", 175, more),
  reviews,
  steps: ["document_front", "selfie"],
});
const noted: CaseFile["reviews"] = [
  {
    id: "rev_1",
    case: caseId,
    by: rolf,
    kind: "noted",
    reasons: [],
    step: "",
    note: "The left ear is covered by hair in the selfie. I would ask for another one.",
    at: "2026-11-21T12:10:00Z",
  },
];
const corrected = (n: number, correction: { name: string; from: string; to: string }): CaseFile["reviews"][number] => ({
  id: `rev_c${n}`,
  case: caseId,
  by: n > 1 ? ida : rolf,
  kind: "corrected",
  reasons: [],
  step: "",
  note: "It is so on the picture.",
  at: `2026-11-21T12:1${n}:00Z`,
  correction,
});
/** What two reviewers corrected, one after the other. */
const corrections: CaseFile["reviews"] = [
  corrected(1, { name: "given_names", from: "ANNA MARIA", to: "ANNA-MARIA" }),
  corrected(2, { name: "place_of_birth", from: "", to: "ZENITH" }),
  corrected(3, { name: "given_names", from: "ANNA-MARIA", to: "ANNA MARÍA" }),
];
/** The case whose zone is not verified. */
const doubted = (file: CaseFile): Api => {
  const { report } = referred;
  const mrz = report?.document.mrz;
  if (!report || !mrz) throw new Error("the specimen has no zone");
  const doubts: (typeof mrz)["doubts"] = [
    { code: "document.readers_disagree", source: "second_reader", fields: ["name", "nationality"] },
    { code: "capture.cut_off", source: "view" },
  ];
  const changed = { ...mrz, verified: false, readers_agree: false, doubts };
  return {
    ...at(file),
    [`GET ${base}`]: {
      json: {
        ...referred,
        case: file.case,
        reviews: file.reviews,
        report: { ...report, document: { ...report.document, mrz: changed } },
      },
    },
  };
};
const correcting = async ({ page }: Shown) => {
  await shown(page);
  await page.getByRole("button", { name: "Correct: Family name" }).press("Enter");
  await page.getByRole("textbox", { name: "What the document says" }).fill("ERIKSEN");
  await page.getByRole("button", { name: "Save correction" }).press("Enter");
  await page.getByRole("alert").scrollIntoViewIfNeeded();
};

/** A case that Rolf has and wrote a note about. */
export const referredCase: CaseFile = found(held, noted);
const approvedBy: CaseFile["reviews"] = [
  {
    id: "rev_2",
    case: caseId,
    by: rolf,
    kind: "approved",
    reasons: [],
    step: "",
    note: "",
    at: "2026-11-21T12:11:00Z",
  },
];

const deciders = {
  items: [
    { id: "usr_06c1q2m3n4p5r6s7t8v9w0x1y4", name: "Aurélie Marchand-Delacroix" },
    ida,
    rolf,
    { id: "usr_06c1q2m3n4p5r6s7t8v9w0x1y5", name: "Zofia Nowak" },
  ],
};

const assigning: Assigning = {
  mode: "test",
  enabled: true,
  most: 5,
  away: false,
  reviewers: [
    { id: owner.id, name: owner.name, held: 2, away_since: null },
    { id: "usr_06c1q2m3n4p5r6s7t8v9w0x1y3", name: "Rolf Brandt", held: 0, away_since: "2026-11-20T09:00:00Z" },
  ],
};

const look = (n: number, more: Partial<QualityReview>): QualityReview => ({
  session: {
    id: `ses_06c1q2m3n4p5r6s7t8v9w0x00${n}`,
    state: "approved",
    external_reference: `order-44${n}`,
    document_kind: "passport",
    person: {},
    created_by: "",
    created_at: "2026-11-20T09:00:00Z",
  },
  workflow: { id: "wfv_06c1q2m3n4p5r6s7t8v9w0x1y2", name: "default", number: 2, liveness_notice: "" },
  outcome: "approved",
  decided_by: null,
  drawn_at: "2026-11-20T09:02:00Z",
  by: null,
  verdict: "",
  reasons: [],
  note: "",
  at: null,
  ...more,
});
const looks = {
  items: [look(1, {}), look(2, { decided_by: { id: owner.id, name: owner.name } })],
  waiting: 2,
  agreed: 38,
  disagreed: 2,
};

const reviewers: ReviewerFigure[] = [
  {
    who: { id: owner.id, name: owner.name },
    approved: 31,
    declined: 12,
    reopened: 4,
    median_s: 5400,
    overturned: 1,
    looked: 9,
    disagreed: 1,
  },
  { who: null, approved: 270, declined: 40, reopened: 0, median_s: 0, overturned: 2, looked: 31, disagreed: 1 },
];

const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: owner },
  "GET /v1/console/cases": { json: page },
  "GET /v1/console/cases/events": { hang: true },
  "GET /v1/console/cases/assignment": { json: assigning },
  "GET /v1/console/quality": { json: looks },
  [`GET /v1/console/cases/${caseId}/deciders`]: { json: deciders },
};
const path = `/console/cases/${caseId}`;
const at = (file: CaseFile): Api => ({
  ...desk,
  [`GET /v1${path}`]: { json: file },
  [`GET ${base}`]: { json: { ...referred, case: file.case, reviews: file.reviews } },
});
const shown = (page: Shown["page"]) => page.getByRole("button", { name: "Approve" }).waitFor();
const key =
  (name: string) =>
  async ({ page }: Shown) => {
    await shown(page);
    await page.keyboard.press(name);
  };

export const caseStates: State[] = [
  { name: "console-cases", path: "/console/cases?tab=all", api: desk, sees: "5 h overdue" },
  {
    name: "console-cases-filtered",
    path: "/console/cases?tab=all&overdue=true&workflow=default",
    api: { ...desk, "GET /v1/console/cases": { json: nothing } },
    sees: "No cases match these filters",
  },
  {
    name: "console-cases-assignment",
    path: "/console/cases?tab=all",
    api: desk,
    act: async ({ page: shown }) => shown.getByRole("button", { name: "Automatic assignment is on" }).click(),
    sees: "Cases per reviewer at a time",
  },
  { name: "console-quality", path: "/console/quality", api: desk, sees: "2 of 40 second looks" },
  {
    name: "console-quality-doubt",
    path: "/console/quality",
    api: desk,
    act: async ({ page: shown }) => {
      await shown.getByRole("button", { name: "Review order-441" }).click();
      await shown.getByRole("button", { name: "Disagree" }).click();
    },
    sees: "Choose at least one reason to disagree.",
  },
  {
    name: "console-quality-empty",
    path: "/console/quality",
    api: { ...desk, "GET /v1/console/quality": { json: { items: [], waiting: 0, agreed: 0, disagreed: 0 } } },
    sees: "No second looks waiting",
  },
  {
    name: "console-reviewers",
    path: "/console/reviewers",
    api: { ...desk, "GET /v1/console/analytics/reviewers": { json: { items: reviewers } } },
    sees: "Automatic decisions",
  },
  {
    name: "console-cases-empty",
    path: "/console/cases",
    api: { ...desk, "GET /v1/console/cases": { json: nothing } },
    sees: "No unclaimed cases",
  },
  {
    name: "console-cases-mine-empty",
    path: "/console/cases?tab=mine",
    api: { ...desk, "GET /v1/console/cases": { json: nothing } },
    sees: "You have no cases",
  },
  { name: "console-case", path, api: at(found(mine, noted)), sees: "Assigned to you until" },
  { name: "console-case-open", path, api: at(found({})), sees: "Unassigned." },
  { name: "console-case-held", path, api: at(found(held)), sees: "Assigned to Rolf Brandt until" },
  {
    name: "console-case-two-persons",
    path,
    api: at(found({ ...mine, two_persons: true, approved_by: rolf }, approvedBy)),
    sees: "Rolf Brandt approved this. A second person has to approve it too.",
  },
  {
    name: "console-case-closed",
    path,
    api: at(found({ state: "closed", closed_at: "2026-11-21T12:11:00Z" }, approvedBy)),
    act: async ({ page }) => page.getByText("Rolf Brandt approved this case.").waitFor(),
    sees: "Rolf Brandt approved this case.",
  },
  {
    name: "console-case-undo",
    path,
    api: at(found(mine)),
    // The seconds stand still, so that what waits can be looked at.
    before:
      "const real = setTimeout; window.setTimeout = (f, ms, ...rest) => (ms === 1000 ? 0 : real(f, ms, ...rest));",
    act: key("a"),
    sees: "Approving in 5 s",
  },
  {
    name: "console-case-decline",
    path,
    api: at(found(mine)),
    act: key("d"),
    sees: /The applicant sees the first reason/,
  },
  { name: "console-case-redo", path, api: at(found(mine)), act: key("r"), sees: "What to tell the applicant" },
  { name: "console-case-correct", path, api: at(found(mine)), act: correcting, sees: "Enter what the document says" },
  {
    name: "console-case-corrected",
    path,
    api: at(found(mine, corrections)),
    act: async ({ page }) => {
      await page.getByText("Given names: ANNA-MARIA → ANNA MARÍA").waitFor();
      await page.getByRole("button", { name: "Correct: Place of birth" }).scrollIntoViewIfNeeded();
    },
    sees: "ZENITH",
  },
  {
    name: "console-case-doubts",
    path,
    api: doubted(found(mine)),
    act: async ({ page }) => page.getByText("Reasons it is not verified").scrollIntoViewIfNeeded(),
    sees: "The second reader does not confirm a character",
  },
  { name: "console-case-note", path, api: at(found(mine)), act: key("n"), sees: "For the team." },
  {
    name: "console-case-assign",
    path,
    api: at(found(held)),
    act: async (shown) => {
      await key("g")(shown);
      await shown.page.getByRole("option", { name: "Zofia Nowak" }).waitFor();
      await shown.page.keyboard.press("ArrowDown");
    },
    sees: "The case is theirs for 20 minutes",
  },
  {
    name: "console-case-palette",
    path,
    api: at(found(held)),
    act: async ({ page }) => {
      await page.getByText("Assigned to Rolf Brandt until").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: /^Approve / }).waitFor();
    },
    sees: "This case is assigned to someone else.",
  },
  { name: "console-case-keys", path, api: at(found(mine)), act: key("?"), sees: "Approve (5 seconds to undo)" },
  {
    name: "console-case-conflict",
    path,
    api: {
      ...at(found({ ...held, version: 1 }, noted)),
      [`POST /v1${path}/note`]: {
        status: 409,
        json: { code: "case.conflict", title: "Someone else has changed this case.", remedy: "", status: 409 },
      },
    },
    act: async ({ page }) => {
      await shown(page);
      await page.keyboard.press("n");
      await page.getByRole("textbox", { name: "Note" }).fill("Too late");
      await page.getByRole("button", { name: "Save note" }).click();
    },
    sees: "Rolf Brandt has taken this case.",
  },
];

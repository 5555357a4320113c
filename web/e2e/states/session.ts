import type { Session, SessionFile } from "../../src/api/wire.ts";
import { owner, signedIn } from "./desk.ts";
import { signalStates } from "./signals.ts";
import { base, check, checks, claims, digest, face, file, id, session, timeline } from "./specimen.ts";
import type { Api, Shown, State } from "./state.ts";

const approved = file({}, checks(face(0.712, 0.000002, "pass", [])));
export const referred = file(
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
        assurance: {
          level: "low",
          met: ["no_fraud"],
          missing: ["document_settled", "face_matched", "liveness", "attacks_bounded"],
        },
      },
    ],
  },
  checks(face(0.3171, 0.0004, "inconclusive", [{ code: "face.uncertain", step: "selfie" }]), [
    check("document.portrait", undefined, { lifecycle: "broken", broken_by: "The model text-line is missing." }),
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
        reasons: [{ code: "document.expired", confirmed: "check_digits" }],
        rule: "a final reason",
        by: "policy",
        note: "",
        report: "rep_1",
        report_digest: digest,
        decided_at: "2026-11-21T11:33:14Z",
        assurance: null,
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

const followed: SessionFile = {
  ...declined,
  session: { ...declined.session, followed_by: "ses_06c1q2m3n4p5r6s7t8v9w0x1y3" },
};

const one = (shown: SessionFile): Api => ({ ...signedIn, [`GET ${base}`]: { json: shown } });
export const sessionStates: State[] = [
  { name: "console-session-approved", path: `/console/sessions/${id}`, api: one(approved), sees: "Facts by source" },
  {
    name: "console-session-check-open",
    path: `/console/sessions/${id}`,
    api: one(approved),
    act: async (shown) => {
      await shown.page.getByRole("button", { name: /11 passed/ }).click();
      await shown.page.getByRole("button", { name: /Do selfie and portrait show the same person/ }).click();
      await shown.page.getByRole("button", { name: "PG2051318" }).first().click();
    },
    sees: "False non-matches",
  },
  {
    name: "console-session-referred",
    path: `/console/sessions/${id}`,
    api: one(referred),
    sees: "Referred to review",
  },
  { name: "console-session-declined", path: `/console/sessions/${id}`, api: one(declined), sees: "Facts by source" },
  {
    name: "console-session-followed",
    path: `/console/sessions/${id}`,
    api: one(followed),
    sees: "Continued with another document",
  },
  {
    name: "console-session-link",
    path: `/console/sessions/${id}`,
    api: one(early),
    act: async ({ page }) => page.getByRole("button", { name: "Create new link" }).click(),
    sees: /The old link stops working at once/,
  },
  {
    name: "console-session-link-made",
    path: `/console/sessions/${id}`,
    api: {
      ...one(early),
      [`POST ${base}/link`]: {
        json: { url: "https://verify.example/v/Xr2bq0bqj3vJ", expires_at: "2026-11-23T11:30:00Z" },
      },
    },
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Create new link" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create new link" }).click();
    },
    sees: /New link, valid until/,
  },
  {
    name: "console-session-new",
    path: `/console/sessions/${id}`,
    api: one(early),
    sees: "The applicant has not opened the link.",
  },
  ...signalStates,
  {
    name: "console-session-unknown",
    path: `/console/sessions/${id}`,
    api: signedIn,
    sees: "This session does not exist",
  },
];

const kept = (keeping: Partial<Session["keeping"]>, more: Partial<SessionFile> = {}): Api => ({
  ...one({ ...approved, session: session({ keeping: { ...session({}).keeping, ...keeping } }), ...more }),
  "GET /v1/console/me": { json: owner },
});
const held = "2026-11-21T12:00:00Z";
const erased = session({
  erased_at: "2026-11-21T12:30:00Z",
  external_reference: "",
  locale: "",
  keeping: { pictures_until: null, report_until: null, pictures_erased_at: "2026-11-21T12:30:00Z", held_since: null },
});

/** Keeping, holding and erasing, as an owner sees it. */
export const keepingStates: State[] = [
  {
    name: "console-session-kept",
    path: `/console/sessions/${id}`,
    api: kept({}),
    act: (shown) => shown.page.getByRole("heading", { name: "Retention" }).scrollIntoViewIfNeeded(),
    sees: "Facts and report",
  },
  {
    name: "console-session-held",
    path: `/console/sessions/${id}`,
    api: kept(
      { held_since: held },
      {
        holds: [
          { reason: "Court order 12 O 345/26", set_by: "user:usr_1", set_at: held, lifted_by: "", lifted_at: null },
        ],
      },
    ),
    act: (shown) => shown.page.getByRole("button", { name: "Lift legal hold" }).scrollIntoViewIfNeeded(),
    sees: "Legal hold.",
  },
  {
    name: "console-session-erase",
    path: `/console/sessions/${id}`,
    api: kept({}),
    act: async (shown) => {
      await shown.page.getByRole("button", { name: "Erase …" }).click();
      await shown.page.getByLabel("Type customer-4711 to confirm").fill("customer-4711");
    },
    sees: "Nobody can recover it.",
  },
  {
    name: "console-session-hold",
    path: `/console/sessions/${id}`,
    api: kept({}),
    act: (shown) => shown.page.getByRole("button", { name: "Set legal hold …" }).click(),
    sees: "on request or by schedule",
  },
  {
    name: "console-session-erased",
    path: `/console/sessions/${id}`,
    api: kept(
      {},
      {
        session: erased,
        report: null,
        captures: [],
        artifacts: [],
        timeline: [
          ...timeline,
          {
            id: "evt_9",
            type: "session.erased",
            at: "2026-11-21T12:30:00Z",
            actor: "user",
            payload: { ground: "request" },
          },
        ],
        receipt: {
          session: id,
          erased_at: "2026-11-21T12:30:00Z",
          finished_at: "2026-11-21T12:30:01Z",
          statement: {},
          statement_digest: `sha256:${digest}`,
          audit: { entry: {}, position: 4182, proof: null },
        },
      },
    ),
    sees: "Download receipt",
  },
];

/** The pictures of the evidence: which file answers which address. */
export const evidence = (pictures: Shown["pictures"]): Api => ({
  [`GET ${base}/evidence/cap_front`]: { file: pictures.document },
  [`GET ${base}/evidence/cap_selfie`]: { file: pictures.selfie },
  [`GET ${base}/evidence/cap_run`]: { file: pictures.film },
  [`GET ${base}/artifacts/art_portrait`]: { file: pictures.portrait },
  [`GET ${base}/artifacts/art_selfie`]: { file: pictures.face },
});

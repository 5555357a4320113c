import type { Page } from "@playwright/test";
import type { Me, ProblemRow, Session, SessionPage, SessionState } from "../../src/api/wire.ts";
import { session } from "./specimen.ts";
import type { Api, Shown } from "./state.ts";

// Somebody who is signed in, and the list that they see.

export const me: Me = {
  id: "usr_06c1q2m3n4p5r6s7t8v9w0x1y2",
  name: "Ida Lindqvist",
  email: "ida@bank.example",
  roles: ["owner"],
  may: ["sessions.read", "sessions.search", "sessions.write", "team.manage"],
  masked: [],
  second_factor: false,
  authenticator_app: false,
  password: true,
  passkeys: [],
  sso: false,
  recovery_codes: 0,
  notices: [],
  offered_notices: [],
};

/** The same person with everything that the review queue needs. */
export const owner: Me = {
  ...me,
  may: [
    "sessions.read",
    "reports.read",
    "evidence.read",
    "cases.read",
    "cases.decide",
    "cases.overrule",
    "sessions.erase",
    "sessions.export",
  ],
};

const row = (n: number, state: SessionState, reference: string, more: Partial<Session> = {}): Session =>
  session({
    id: `ses_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`,
    state,
    external_reference: reference,
    outcome:
      state === "approved" ? "approved" : state === "declined" ? "declined" : state === "in_review" ? "referred" : null,
    decided_at: ["approved", "declined", "in_review"].includes(state) ? "2026-11-21T11:33:14Z" : null,
    document_kind: ["created"].includes(state) ? null : "passport",
    country: ["approved", "declined", "in_review"].includes(state) ? "UTO" : null,
    created_at: new Date(Date.UTC(2026, 10, 21, 11, 31 - n * 7)).toISOString(),
    ...more,
  });

export const items: Session[] = [
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
export const page: SessionPage = {
  items,
  about: items.map(({ id, last_problem }, i) => ({
    id,
    person: i % 3 === 2 ? {} : { given_names: "Anna María", family_name: "Lindqvist" },
    reasons: last_problem ? [last_problem.code] : [],
  })),
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
export const nothing: SessionPage = { items: [], about: [], next: "", counts: {} };

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
      "The similarity is between the thresholds for false match rates of 1 in 1,000 and 1 in 10,000.",
    ),
    problemRow("screening.lists_old", "refer", "A watchlist is out of date.", ""),
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
      "Two sources state different facts. See the fact table.",
    ),
    problemRow(
      "document.edited",
      "refer",
      "The document needs a second look.",
      "Part of the page, outlined in the picture, differs from the rest, as after editing. Compare its letters, background and edges.",
    ),
    problemRow(
      "liveness.not_a_head",
      "refer",
      "We could not confirm the picture.",
      "The face does not move as one head does: parts of it, or what is above it, stay still where a turn would move them. See the measurements.",
    ),
    problemRow(
      "check.not_run",
      "refer",
      "A check could not run.",
      "This check did not run, so it says nothing either way.",
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

/** The ways in of this deployment; its address is that of the page. */
export const here = { needed: false, origin: "__ORIGIN__", passkeys: true, sso: "", mail: true };

export const signedIn: Api = {
  "GET /v1/console/me": { json: me },
  "GET /v1/console/setup": { json: here },
  "GET /v1/console/sessions": { json: page },
  "GET /v1/console/sessions/facets": {
    json: { workflows: ["default", "liveness", "no_liveness"], countries: [{ code: "UTO", name: "Utopia" }] },
  },
  "GET /v1/console/views": {
    json: {
      items: [
        {
          id: "viw_1",
          mode: "test",
          name: "To look at",
          filter: { state: ["in_review"] },
          created_at: "2026-11-21T11:31:00Z",
        },
        {
          id: "viw_2",
          mode: "test",
          name: "Expired papers of Utopia",
          filter: { reason: "document.expired", country: "UTO" },
          created_at: "2026-11-21T11:31:00Z",
        },
      ],
    },
  },
  "GET /v1/catalogue": { json: catalogue },
  "GET /v1/console/settings/decline-reasons": {
    json: {
      reasons: ["document.edited", "document.expired", "document.facts_disagree", "liveness.not_a_head"],
      favourites: ["document.edited"],
      all: [],
    },
  },
  "GET /v1/console/events": { hang: true },
};

export const open =
  (name: string) =>
  async ({ page: tab }: Shown) =>
    tab.getByRole("button", { name }).first().click();

/** Presses what the bar of the draft keeps in a menu on a phone, where the states begin. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More …" }).click();
  await page.getByRole("menuitem", { name }).click();
}

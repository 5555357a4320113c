// @vitest-environment node
import { describe, expect, it } from "vitest";
import { auditSearch } from "../src/console/audit/queries.ts";
import { casesSearch } from "../src/console/cases/queries.ts";
import { logsSearch } from "../src/console/developers/queries.ts";
import { addDays } from "../src/console/parts/days.ts";
import { reviewersSearch } from "../src/console/queue/queries.ts";
import { narrowing, queryOf, sessionsSearch } from "../src/console/sessions/filter.ts";

describe("what an address asks for", () => {
  it.each([
    ["sessions", sessionsSearch, { mode: "live", state: "in_review", q: "ref 1", after: "ses_1" }],
    [
      "sessions by every filter",
      sessionsSearch,
      {
        outcome: "declined",
        reason: "face.mismatch",
        workflow: "std",
        country: "UTO",
        kind: "visa",
        from: "2026-01-01",
        to: "2026-01-31",
      },
    ],
    ["sessions, the oldest first", sessionsSearch, { state: "in_review", sort: "created_at" }],
    ["reviewers by a figure", reviewersSearch, { days: "7", by: "median", up: true }],
    ["cases", casesSearch, { mode: "live", tab: "mine", after: "cas_1" }],
    ["calls", logsSearch, { key: "key_1", failed: true }],
    ["the audit log", auditSearch, { actor: "usr_1", action: "case.decided", about: "ses_1", from: "2026-01-01" }],
  ])("%s: is read as it was written", (_, read, search) => expect(read(search)).toEqual(search));

  it.each([
    ["the defaults", casesSearch, { mode: "test", tab: "unclaimed" }],
    ["what no list knows", sessionsSearch, { mode: "prod", state: "lost", outcome: "reopened", kind: "library_card" }],
    [
      "what has another form",
      sessionsSearch,
      { reason: "<b>", workflow: "A B", country: "Utopia", from: "2026-13-01", q: "" },
    ],
    ["an order that no list has", sessionsSearch, { sort: "name" }],
    ["a figure that there is not", reviewersSearch, { by: "salary", up: "yes" }],
    ["what has another type", logsSearch, { key: {}, failed: "yes", after: null }],
    ["what nobody asked for", auditSearch, { colour: "red" }],
  ])("%s: is left out", (_, read, search) => expect(read(search)).toEqual({}));

  it("takes the first state of a list, as a saved view holds one, and digits as a text", () => {
    expect(narrowing({ state: ["approved", "declined"] })).toEqual({ state: "approved" });
    expect(sessionsSearch({ q: 12_345 })).toEqual({ q: "12345" });
  });

  it("keeps no text of more than 200 characters", () => {
    expect(sessionsSearch({ q: "x".repeat(300) }).q).toHaveLength(200);
  });

  it.each([
    ["2026-02-28", 1, "2026-03-01"],
    ["2026-01-01", -1, "2025-12-31"],
  ])("%s and %d days is %s", (day, days, then) => expect(addDays(day, days)).toBe(then));
});

it("the order of the list is asked of the server, and is no filter of a saved view", () => {
  expect(queryOf({ sort: "created_at", state: "declined" })).toEqual({ sort: "created_at", state: ["declined"] });
  expect(narrowing({ sort: "created_at", state: "declined" })).toEqual({ state: "declined" });
});

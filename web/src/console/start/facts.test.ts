// @vitest-environment node
import { describe, expect, it } from "vitest";
import { concernsOf, type Facts, stepsOf } from "./facts.ts";

const now = Date.parse("2026-11-25T12:00:00Z");
const ago = (days: number) => new Date(now - days * 86_400_000).toISOString();

const key = (over: Partial<NonNullable<Facts["keys"]>[number]> = {}) => ({
  id: "key_1",
  name: "server",
  mode: "live" as const,
  status: "active",
  expires_at: null,
  ...over,
});
const workflow = (over: Partial<NonNullable<Facts["workflows"]>[number]> = {}) => ({
  id: "wfl_1",
  name: "default",
  mode: "test" as const,
  built_in: true,
  published: { number: 1 },
  draft: null,
  ...over,
});

describe("the first steps", () => {
  it("are all open on an empty deployment", () => {
    const open = stepsOf({ keys: [], workflows: [workflow()], endpoints: [], sessions: { live: 0, test: 0 } });
    expect(open.map(({ done }) => done)).toEqual([false, false, false, false, false]);
  });

  it("tick themselves from facts", () => {
    const facts: Facts = {
      keys: [key()],
      workflows: [workflow({ published: { number: 2 } })],
      endpoints: [{ id: "whk_1", url: "https://a.example", mode: "test", stopped_at: null }],
      sessions: { live: 0, test: 3 },
    };
    expect(stepsOf(facts).filter(({ done }) => !done)).toEqual([{ step: "live", done: false }]);
  });

  it("take no built-in workflow and no revoked key for a step that was taken", () => {
    expect(stepsOf({ keys: [key({ status: "revoked" })], workflows: [workflow()] }).some(({ done }) => done)).toBe(
      false,
    );
  });

  it("leave out what somebody may not read", () => {
    expect(stepsOf({ sessions: { live: 0, test: 1 } }).map(({ step }) => step)).toEqual(["test", "live"]);
  });
});

describe("what needs attention", () => {
  it("is nothing where all is well", () => {
    expect(
      concernsOf(
        {
          keys: [key({ expires_at: ago(-30) }), key({ status: "revoked", expires_at: ago(-1) })],
          workflows: [workflow({ draft: { changed_at: ago(1) } })],
          endpoints: [{ id: "whk_1", url: "https://a.example", mode: "test", stopped_at: null }],
          late: { mode: "live", n: 0 },
          findings: [
            { what: "backup", health: "ok", found: "a day ago" },
            { what: "master key", health: "warning", found: "beside the data" },
          ],
          trust: { unusable: [], updates: [{ state: "in_force", kind: "master_list", dated: ago(30) }] },
        },
        now,
      ),
    ).toEqual([]);
  });

  it("names each thing, the most pressing first", () => {
    const kinds = concernsOf(
      {
        late: { mode: "live", n: 2 },
        endpoints: [{ id: "whk_1", url: "https://a.example", mode: "live", stopped_at: ago(1) }],
        findings: [{ what: "backup", health: "warning", found: "none for 40 days" }],
        keys: [key({ expires_at: ago(-3) }), key({ id: "key_2", status: "expired", expires_at: ago(2) })],
        trust: {
          unusable: [{}],
          updates: [
            { state: "pending", kind: "master_list", dated: ago(1) },
            { state: "in_force", kind: "master_list", dated: ago(400) },
          ],
        },
        workflows: [workflow({ draft: { changed_at: ago(9) } })],
      },
      now,
    ).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "overdue",
      "webhook",
      "finding",
      "key",
      "key",
      "trust_unusable",
      "trust_pending",
      "trust_old",
      "draft",
    ]);
  });

  it("lets a newer list stand for an older one", () => {
    const updates = [
      { state: "in_force", kind: "master_list", dated: ago(400) },
      { state: "in_force", kind: "master_list", dated: ago(10) },
    ];
    expect(concernsOf({ trust: { unusable: [], updates } }, now)).toEqual([]);
  });
});

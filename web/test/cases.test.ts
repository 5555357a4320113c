import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Case, Me } from "../src/api/wire.ts";
import { type Act, whyNot } from "../src/console/cases/can.ts";
import { span, target } from "../src/console/cases/target.ts";
import { grace, useDelay } from "../src/console/cases/useDelay.ts";

const ida = { id: "usr_ida", name: "Ida" };
const rolf = { id: "usr_rolf", name: "Rolf" };
const me = (...may: string[]): Me => ({
  ...ida,
  email: "ida@bank.example",
  roles: [],
  may,
  recovery_codes: 0,
  notices: [],
  offered_notices: [],
  second_factor: false,
  authenticator_app: false,
  password: true,
  passkeys: [],
  sso: false,
  masked: [],
});
const reviewer = me("cases.read", "cases.decide");
const senior = me("cases.read", "cases.decide", "cases.overrule");

const one = (more: Partial<Case> = {}): Case => ({
  id: "cas_1",
  mode: "test",
  state: "open",
  session: {
    id: "ses_1",
    state: "in_review",
    external_reference: "",
    document_kind: null,
    person: {},
    created_by: "",
    created_at: "2026-11-21T11:00:00Z",
  },
  workflow: { id: "wfv_1", name: "default", number: 1, liveness_notice: "" },
  reasons: [],
  version: 0,
  report_digest: "",
  assignee: null,
  claimed_until: null,
  two_persons: false,
  not_by_creator: false,
  approved_by: null,
  opened_at: "2026-11-21T11:00:00Z",
  due_at: "2026-11-21T15:00:00Z",
  closed_at: null,
  ...more,
});
const mine = one({ state: "claimed", assignee: ida });
const theirs = one({ state: "claimed", assignee: rolf });
const ownSession = one({ not_by_creator: true, session: { ...one().session, created_by: ida.id } });

describe("what a reviewer can do, and why not", () => {
  it.each<[string, Act, Case, Me, string | null]>([
    ["approve one that nobody has", "approve", one(), reviewer, null],
    ["approve one's own", "approve", mine, reviewer, null],
    ["approve another's", "approve", theirs, reviewer, "case.why.held"],
    ["approve a closed one", "approve", one({ state: "closed" }), reviewer, "case.why.closed"],
    ["approve as somebody who looks on", "approve", one(), me("cases.read"), "case.why.role"],
    ["decide a session that one made", "decline", ownSession, reviewer, "case.why.own"],
    ["decide it where the workflow does not mind", "decline", { ...ownSession, not_by_creator: false }, reviewer, null],
    ["approve twice", "approve", one({ approved_by: ida }), senior, "case.why.first"],
    ["give a second approval", "approve", one({ approved_by: rolf }), reviewer, "case.why.second"],
    ["give a second approval as a senior", "approve", one({ approved_by: rolf }), senior, null],
    ["claim what one has", "claim", mine, reviewer, "case.why.yours"],
    ["release what one does not have", "release", one(), reviewer, "case.why.not_yours"],
    ["release one's own", "release", mine, reviewer, null],
    ["note on another's", "note", theirs, reviewer, null],
    ["ask for a step where there is none", "redo", one(), reviewer, "case.why.no_step"],
  ])("%s", (_, asked, of, who, why) => expect(whyNot(asked, { case: of, me: who, steps: [] })).toBe(why));
});

describe("a case against its target", () => {
  it.each([
    ["just opened", "2026-11-21T11:00:00Z", "idle", "cases.in_time", "4 h"],
    ["in its last quarter", "2026-11-21T14:00:00Z", "unsure", "cases.soon", "1 h"],
    ["a minute before", "2026-11-21T14:59:30Z", "unsure", "cases.soon", "< 1 min"],
    ["to the dot", "2026-11-21T15:00:00Z", "fail", "cases.late", "< 1 min"],
    ["days later", "2026-11-24T16:00:00Z", "fail", "cases.late", "3 d"],
  ])("%s says so with a shape and a word", (_, now, shape, word, left) =>
    expect(target(one(), new Date(now).getTime())).toEqual({ shape, word, span: left }),
  );

  it("spans are in their largest unit", () =>
    expect([span(59), span(60), span(7199)]).toEqual(["< 1 min", "1 min", "1 h"]));
});

describe("a decision that waits", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const wait = (seconds: number) => {
    for (let n = 0; n < seconds; n++) act(() => void vi.advanceTimersByTime(1000));
  };

  it("is sent once its time is over, and once", () => {
    const sent: string[] = [];
    const { result } = renderHook(() => useDelay<string>((what) => sent.push(what)));
    act(() => result.current.start("approve"));
    wait(grace - 1);
    expect([sent, result.current.waiting?.left]).toEqual([[], 1]);
    wait(grace);
    expect([sent, result.current.waiting]).toEqual([["approve"], null]);
  });

  it("is not sent when it is undone", () => {
    const sent: string[] = [];
    const { result, unmount } = renderHook(() => useDelay<string>((what) => sent.push(what)));
    act(() => result.current.start("approve"));
    act(() => result.current.undo());
    wait(2 * grace);
    unmount();
    expect(sent).toEqual([]);
  });

  it("is sent at once by who leaves the page", () => {
    const sent: string[] = [];
    const { result, unmount } = renderHook(() => useDelay<string>((what) => sent.push(what)));
    act(() => result.current.start("decline"));
    unmount();
    wait(2 * grace);
    expect(sent).toEqual(["decline"]);
  });
});

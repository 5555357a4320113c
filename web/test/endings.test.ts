// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Peeked, TaskState } from "../src/api/wire.ts";
import { endingOfProblem, endingOfSession, endingOfTask, endings } from "../src/applicant/endings.ts";

describe("the endings of a flow", () => {
  it.each<[Peeked["state"], string | undefined]>([
    ["created", undefined],
    ["capturing", "elsewhere"],
    ["processing", "elsewhere"],
    ["in_review", "review"],
    ["approved", "finished"],
    ["declined", "finished"],
    ["expired", "expired"],
    ["cancelled", "cancelled"],
  ])("the link of a session that is %s ends as %s", (state, ending) => expect(endingOfSession(state)).toBe(ending));

  it.each<[TaskState, string | undefined]>([
    ["step", undefined],
    ["wait", undefined],
    ["review", "review"],
    ["approved", "approved"],
    ["declined", "declined"],
    ["expired", "expired"],
    ["cancelled", "cancelled"],
  ])("a task that is at %s ends as %s", (state, ending) => expect(endingOfTask(state)).toBe(ending));

  it.each([
    ["session.erased", "finished"],
    ["session.bound_elsewhere", "elsewhere"],
    ["handoff.used", "handoffUsed"],
    ["handoff.expired", "handoffExpired"],
    ["auth.invalid", "unknown"],
    ["unavailable", undefined],
  ])("a link that is answered with %s ends as %s", (code, ending) => expect(endingOfProblem(code)).toBe(ending));

  it("look different: no two have the same texts", () => {
    const texts = Object.values(endings).map((row) => row.texts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("never tell the embedding page whether somebody was approved", () => {
    expect(endings.approved.message).toEqual(endings.declined.message);
  });
});

// @vitest-environment node
import { describe, expect, it } from "vitest";
import { failureOf, Unreachable } from "../../api/failure.ts";
import { keptBack } from "./can.ts";

describe("what is kept back", () => {
  const refused = (status: number, code: string) => failureOf(status, { code, title: "No" });

  it.each([
    ["a permission that the roles do not have", refused(403, "auth.forbidden"), true],
    ["figures of a live workflow, to a developer", refused(404, "not_found"), true],
    ["a server without room", refused(503, "unavailable"), false],
    ["no answer", new Unreachable("offline"), false],
    ["nothing wrong", null, false],
  ])("%s", (_, error, kept) => {
    expect(keptBack(error)).toBe(kept);
  });
});

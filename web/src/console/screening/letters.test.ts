// @vitest-environment node
import { describe, expect, it } from "vitest";
import { differing, type Run } from "./letters.ts";

const shown = (runs: Run[]) => runs.map(({ text, same }) => (same ? text : `[${text}]`)).join("");

describe("the letters in which two words differ", () => {
  it.each([
    ["equal words have none", "putin", "putin", "putin", "putin"],
    ["a letter that is another", "putin", "pulin", "pu[t]in", "pu[l]in"],
    ["a letter that is missing", "sergi", "sergei", "sergi", "serg[e]i"],
    ["capitals and marks are no difference", "Müller", "MULLER", "Müller", "MULLER"],
    ["words without a common letter", "abc", "xyz", "[abc]", "[xyz]"],
    ["one word alone", "maria", "", "[maria]", ""],
  ])("%s", (_, a, b, one, other) => {
    const got = differing(a, b);
    expect([shown(got.one), shown(got.other)]).toEqual([one, other]);
  });
});

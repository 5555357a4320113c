import { expect, it } from "vitest";
import { sortable } from "../src/console/parts/sort.ts";

/** Presses the heading of a column so many times, and says what the address has and what the heading says after each. */
function presses(usual: string, key: string, down: boolean, times: number, sort?: string) {
  const seen: [string | undefined, string][] = [];
  let now = sort;
  for (let i = 0; i < times; i++) {
    const onSort = (to: string | undefined) => {
      now = to;
    };
    sortable("x", key, { sort: now, usual, down, onSort }).onSort();
    seen.push([now, sortable("x", key, { sort: now, usual, down, onSort }).order]);
  }
  return seen;
}

it("goes one way, the other, and back to what is usual", () => {
  expect(presses("-created_at", "state", false, 4)).toEqual([
    ["state", "ascending"],
    ["-state", "descending"],
    [undefined, "none"],
    ["state", "ascending"],
  ]);
  expect(presses("-created_at", "decided_at", true, 3)).toEqual([
    ["-decided_at", "descending"],
    ["decided_at", "ascending"],
    [undefined, "none"],
  ]);
});

it("turns the usual order round and back, and comes to it from another", () => {
  expect(presses("-created_at", "created_at", true, 3)).toEqual([
    ["created_at", "ascending"],
    [undefined, "descending"],
    ["created_at", "ascending"],
  ]);
  expect(presses("-created_at", "created_at", true, 1, "state")).toEqual([[undefined, "descending"]]);
  expect(presses("due_at", "due_at", false, 2)).toEqual([
    ["-due_at", "descending"],
    [undefined, "ascending"],
  ]);
});

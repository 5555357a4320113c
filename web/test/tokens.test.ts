// @vitest-environment node
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrast, readableOn } from "../src/ui/contrast.ts";

const css = readFileSync("src/ui/tokens.css", "utf8");

/** The colours of one theme: the first block is light, the block of the dark scheme is dark. */
function colours(block: string): ReadonlyMap<string, string> {
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}
const blocks = [...css.matchAll(/\{([^{}]*--ink:[^{}]*)\}/g)].map((match) => colours(match[1] ?? ""));
const [light, dark, chosenDark] = blocks;

const surfaces = ["paper", "ground", "raised"];
const texts = ["ink", "ink-soft", "accent", "pass", "fail", "unsure", "idle", "refer"];
const pairs: [string, string][] = [
  ...texts.flatMap((text) => surfaces.map((surface): [string, string] => [text, surface])),
  ["ink-faint", "paper"],
  ["ink-faint", "raised"],
  ["on-accent", "accent"],
  ["on-accent", "accent-press"],
  ["ink", "sunken"],
  ["ink-soft", "sunken"],
  ["ink", "accent-soft"],
  ["accent", "accent-soft"],
  ...["pass", "fail", "unsure", "idle", "refer"].flatMap((state): [string, string][] => [
    [state, `${state}-soft`],
    ["ink", `${state}-soft`],
  ]),
];

describe.each([
  ["light", light],
  ["dark", dark],
])("the %s theme", (_, theme) => {
  it.each(pairs)("%s can be read on %s", (text, ground) => {
    expect(contrast(theme?.get(text) ?? "", theme?.get(ground) ?? "")).toBeGreaterThanOrEqual(4.5);
  });
  it("draws the edges of what can be pressed at 3 to 1", () => {
    for (const surface of ["paper", "raised"])
      expect(contrast(theme?.get("line-strong") ?? "", theme?.get(surface) ?? "")).toBeGreaterThanOrEqual(3);
  });
});

it("the dark theme is the same whether the device or the person asks for it", () => {
  expect(chosenDark).toEqual(dark);
});

describe("a customer's brand colour", () => {
  it.each(["#ffff00", "#0f766e", "#ff5a1f", "#000000", "#ffffff", "#7fb069", "#808080"])(
    "%s gets words that can be read on it",
    (brand) => {
      expect(contrast(readableOn(brand), brand)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pickLanguage } from "../src/i18n/pickLanguage.ts";
import { accentOf, brandOf } from "../src/ui/brand.ts";
import { contrast } from "../src/ui/contrast.ts";

/** A row of colours that is the same on every machine. */
function* colours(count: number) {
  let state = 7;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield `#${(state >>> 8).toString(16).padStart(6, "0")}`;
  }
}
const corners = ["#000000", "#ffffff", "#ffff00", "#00ffff", "#ff0000", "#0000ff", "#00ff00", "#ff00ff", "#808080"];
const tokens = readFileSync("src/ui/tokens.css", "utf8");
const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)");
const token = (css: string, name: string) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(css)?.[1] ?? "";
const themes = { light, dark: dark.split("@font-face")[0] ?? "" } as const;

describe("a brand's colour", () => {
  it.each(["light", "dark"] as const)("can be read in the %s theme, whichever it is", (theme) => {
    const grounds = ["paper", "ground", "raised", "sunken"].map((name) => token(themes[theme], name));
    expect(grounds).not.toContain("");
    for (const colour of [...corners, ...colours(4000)]) {
      const accent = accentOf(colour, theme);
      const pairs = [
        ...[...grounds, accent["--accent-soft"]].map((ground) => contrast(accent["--accent"], ground)),
        contrast(accent["--on-accent"], accent["--accent"]),
        contrast(accent["--on-accent"], accent["--accent-press"]),
        contrast(token(themes[theme], "ink"), accent["--accent-soft"]),
      ];
      expect([colour, Math.min(...pairs) >= 4.5, accent]).toEqual([colour, true, accent]);
    }
  });

  it("stays what it is where it can be read as it is", () => {
    expect(accentOf("#0f766e", "light")["--accent"]).toBe("#0f766e");
    expect(accentOf("#2dd4bf", "dark")["--accent"]).toBe("#2dd4bf");
  });
});

describe("the languages that are offered", () => {
  it.each([
    ["every one, where nothing is said", ["fr-CA"], "", "fr"],
    ["one that is offered", ["fr", "de-AT"], "de en", "de"],
    ["English, where none that is wanted is offered", ["fr"], "de en", "en"],
    ["the first, where English is not offered either", ["fr"], "de it", "de"],
    ["English, where what is said names none", ["fr"], "xx", "en"],
  ])("are picked: %s", (_, wanted, offered, picked) => {
    expect(pickLanguage(wanted, offered)).toBe(picked);
  });
});

describe("what the page tells of the brand", () => {
  const told = (content: string) => {
    const page = new DOMParser().parseFromString("<meta name=bonafide-brand>", "text/html");
    page.querySelector("meta")?.setAttribute("content", content);
    return brandOf(page);
  };
  it("is taken as the server writes it", () => {
    const brand = {
      colour: "#c2185b",
      logo: "/brand/logo-0a1b.png",
      support: "mailto:help@bank.example",
      privacy: "https://bank.example/privacy",
    };
    expect(told(JSON.stringify(brand))).toMatchObject({ ...brand, languages: "" });
  });
  it("tells the languages that are offered and a sentence in its language only", () => {
    const brand = told(JSON.stringify({ languages: "de en", hello_de: "<b>Hallo</b>" }));
    expect([brand.languages, brand.hello("de"), brand.hello("en")]).toEqual(["de en", "<b>Hallo</b>", ""]);
  });
  it.each([
    ["nothing", "{}"],
    ["what is no JSON", "{"],
    ["a list", "[1]"],
    [
      "addresses that run code, and a logo from elsewhere",
      '{"colour":"red","logo":"//evil.example/x.png","support":"javascript:1","privacy":"data:x"}',
    ],
  ])("is nothing for %s", (_, content) => {
    const { hello, ...rest } = told(content);
    expect(rest).toEqual({ name: "", colour: "", logo: "", support: "", privacy: "", languages: "" });
    expect(hello("en")).toBe("");
  });
});

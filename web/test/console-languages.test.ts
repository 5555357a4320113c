// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { germanWords } from "../src/i18n/console.de.ts";
import { consoleWords } from "../src/i18n/console.ts";
import { consoleLanguages, consoleWordsOf, formatOf, spokenLanguage } from "../src/i18n/consoleLanguages.ts";
import { speaker, type Text } from "../src/i18n/translate.ts";

const table = (words: object): [string, Text][] => Object.entries(words);
const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")))].sort();

/** What is the same word in German and English, or no word at all. */
const shared =
  /^(\W|\{\w+\}|\d|s|ms|ID|OK|URL|Admin|Barcode|Bonafide|Browser|Chip|Computer|ISO|IEC|JWT|Link|Live|Logo|MRZ|Median|Name|Passkeys|Person|Problem|SD|SHA|Selfie|Status|System|Tablet|Team|Test|Version|Wallet|Webhooks?|Workflows?)+$/;

describe("the German console", () => {
  it("has every text of the English one and no other", () => {
    expect(Object.keys(germanWords).sort()).toEqual(Object.keys(consoleWords).sort());
  });

  it("has the same places in each text", () => {
    const english = new Map(table(consoleWords));
    for (const [key, text] of table(germanWords))
      expect([key, holes(text)]).toEqual([key, holes(english.get(key) ?? "")]);
  });

  it("leaves no English text untranslated", () => {
    const english = new Map(table(consoleWords));
    const left = table(germanWords).filter(
      ([key, text]) => typeof text === "string" && english.get(key) === text && !shared.test(text),
    );
    expect(left).toEqual([]);
  });

  it("has the plural forms of German, and nothing empty", () => {
    for (const [key, text] of table(germanWords)) {
      if (typeof text !== "string") expect([key, Object.keys(text).sort()]).toEqual([key, ["one", "other"]]);
      for (const form of formsOf(text)) expect([key, form.trim()]).not.toEqual([key, ""]);
    }
  });

  it("quotes as German does", () => {
    const wrong = table(germanWords).filter(([, text]) => formsOf(text).some((form) => /“[^„]*”|"/.test(form)));
    expect(wrong).toEqual([]);
  });
});

describe("the language of the console", () => {
  it.each([
    [null, ["de-AT", "en"], "de"],
    [null, ["fr-FR", "de"], "de"],
    [null, ["fr-FR"], "en"],
    [null, [], "en"],
    ["en", ["de-DE"], "en"],
    ["de", ["en-GB"], "de"],
  ] as const)("is, chosen %s in a browser of %s, %s", (chosen, browser, spoken) => {
    expect(spokenLanguage(chosen, browser)).toBe(spoken);
  });

  it.each([
    ["de", ["en-US", "de-AT"], "de-AT"],
    ["de", ["en-US"], "de"],
    ["en", ["en-US"], "en-US"],
    ["en", ["fr-FR"], "en-GB"],
  ] as const)("%s in a browser of %s writes dates as %s", (language, browser, format) => {
    expect(formatOf(language, browser)).toBe(format);
  });

  it("writes numbers and plurals as German does", async () => {
    const [language, words] = await consoleWordsOf("de", consoleWords);
    const { t } = speaker(language, words, "de");
    expect(t("sessions.count", { n: 1 })).toBe("1 Sitzung");
    expect(t("sessions.count", { n: 12_345 })).toBe("12.345 Sitzungen");
  });

  it("is listed by its own name", () => expect(consoleLanguages).toEqual({ en: "English", de: "Deutsch" }));
});

/** Attributes that are read, aloud or on the screen. */
const spoken = new Set([
  "title",
  "label",
  "aria-label",
  "placeholder",
  "description",
  "alt",
  "aria-description",
  "error",
]);
/** What is no language: commands, formats, examples, names and units. */
const neutral = new Set([
  "webhook-id:",
  "usr_…",
  "ses_…",
  "DEU",
  "https://",
  "https://shop.example",
  "reference,given_names,family_name\norder-17,Ada,Doe",
]);
const isWords = (text: string) => /\p{L}{2}/u.test(text) && !neutral.has(text.trim());

/** Texts in the markup of a file that do not come from the dictionary. */
function hardCoded(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, "utf8"),
    ts.ScriptTarget.Latest,
    false,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && isWords(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && ts.isIdentifier(node.name) && spoken.has(ts.idText(node.name)) && node.initializer) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer;
      if (value && ts.isStringLiteralLike(value) && isWords(value.text)) found.push(value.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) => `${path}: ${text}`);
}

it("no text of the console is written in its markup", () => {
  const files = readdirSync("src/console", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".tsx"),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((name) => hardCoded(join("src/console", name)))).toEqual([]);
});

it("a text in the markup would be found", () => {
  const path = join(process.env.TMPDIR ?? "/tmp", `hard-coded-${process.pid}.tsx`);
  ts.sys.writeFile(path, '<p title="Said here">Also {"x"} here <b aria-label={"And here"} /></p>');
  expect(hardCoded(path)).toHaveLength(4);
  ts.sys.deleteFile?.(path);
});

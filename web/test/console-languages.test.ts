// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import catalogue from "../src/i18n/catalogue.json";
import { germanWords } from "../src/i18n/console.de.ts";
import { consoleWords } from "../src/i18n/console.ts";
import { consoleLanguages, consoleWordsOf, formatOf, spokenLanguage } from "../src/i18n/consoleLanguages.ts";
import written from "../src/i18n/sentences.json";
import { speaker, type Text } from "../src/i18n/translate.ts";

const table = (words: object): [string, Text][] => Object.entries(words);
const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")))].sort();

/** What is the same word in German and English, or no word at all. */
const shared =
  /^(\W|\{\w+\}|\d|s|ms|ID|OK|URL|Admin|Barcode|Bonafide|Browser|CSV|Chip|Computer|ISO|IEC|JSON|JWT|Lines|Link|Live|Logo|MRZ|Median|Name|Passkeys|Person|Problem|SD|SHA|Selfie|Status|System|Tablet|Team|Test|Version|Wallet|Webhooks?|Workflows?)+$/;

const english = new Map([...table(consoleWords), ...table(catalogue), ...table(written)]);
/** Whether a key names an English text; the others are sentences of the server's. */
const isKey = (key: string) => !key.startsWith("detail.");

describe("the German console", () => {
  it("has every text of the English one and no other", () => {
    const wanted = [...english.keys()];
    expect(Object.keys(germanWords).filter(isKey).sort()).toEqual(wanted.sort());
  });

  it("has the same places in each text", () => {
    for (const [key, text] of table(germanWords).filter(([name]) => isKey(name)))
      expect([key, holes(text)]).toEqual([key, holes(english.get(key) ?? "")]);
  });

  it("leaves no English text untranslated", () => {
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

/** What a member can be refused for: the packages whose sentences the console shows. */
const refusing = [
  "account",
  "screening/lists",
  "session/review",
  "session/sandbox",
  "trust/register",
  "webhook",
  "workflow",
];

/** The sentences that Go files add to problems, their places as {}, without the first capital and the full stop. */
function sentences(folders: readonly string[]): Set<string> {
  const said = /(?:Saying\(|alformed\([^,()]+, |targetRefused\()((?:"(?:[^"\\]|\\.)*"(?: \+\s*)?)+)/g;
  const found = new Set<string>();
  for (const folder of folders)
    for (const file of readdirSync(`../internal/${folder}`, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".go") || file.endsWith("_test.go")) continue;
      for (const [, literal = ""] of readFileSync(`../internal/${folder}/${file}`, "utf8").matchAll(said))
        found.add(bare(literal.replace(/" \+\s*"/g, "").slice(1, -1)));
    }
  return found;
}
const bare = (text: string) => {
  const open = text.replace(/\.$/, "").replace(/%[dqs]|\$1|\{\w+\}/g, "{}");
  return open.charAt(0).toLowerCase() + open.slice(1);
};

/** What has too few words of its own to be recognised. */
const madeOfValues = new Set(["{}", "{} {} at {}", "it is {}"]);

describe("the sentences that the server adds to problems", () => {
  const german = new Set(
    Object.keys(germanWords)
      .filter((key) => !isKey(key))
      .map((key) => bare(key.slice(7))),
  );

  it("are in German wherever a member is refused", () => {
    const said = [...sentences(refusing)].filter((one) => !madeOfValues.has(one));
    expect(said.length).toBeGreaterThan(80);
    expect(said.filter((one) => !german.has(one))).toEqual([]);
  });

  it("exist: none is translated that the server does not say", () => {
    const source = readdirSync("../internal", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
      .map((file) => readFileSync(`../internal/${file}`, "utf8").replace(/" \+\s*"/g, ""))
      .join("\n");
    const said = source.replace(/%[dqs]|\$1/g, "{}").toLowerCase();
    expect([...german].filter((one) => !said.includes(one.toLowerCase()))).toEqual([]);
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

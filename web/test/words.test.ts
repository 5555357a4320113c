// @vitest-environment node
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { consentVersion } from "../src/applicant/calls.ts";
import { voiceFor } from "../src/applicant/liveness/say.ts";
import { consoleWords } from "../src/i18n/console.ts";
import { en, type Words } from "../src/i18n/en.ts";
import { type Language, languages, loadWords, pickLanguage } from "../src/i18n/languages.ts";
import { met } from "../src/i18n/problems.ts";
import { speaker, type Text } from "../src/i18n/translate.ts";

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "")))].sort();
const table = (words: Words): Readonly<Record<string, Text>> => words;
const own = (words: Words) => Object.entries(words).filter(([key]) => !key.startsWith("problem."));

const tags: Language[] = ["ar", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "tr", "uk", "zh"];
const all: Record<string, Words> = {};
for (const tag of tags) all[tag] = await loadWords[tag]();
const others = Object.entries(all).filter(([tag]) => tag !== "en");

/** Words that a language shares with English. */
const shared = new Set(["Test", "Visa", "Document", "document", "visa"]);
const scripts: Record<string, RegExp> = { uk: /\p{Script=Cyrillic}/u, ar: /\p{Script=Arabic}/u, zh: /\p{Script=Han}/u };

it("the applicant's screens speak twelve languages", () => {
  expect(Object.keys(languages).sort()).toEqual(tags);
});

describe.each(others)("the %s words", (tag, words) => {
  it("have the keys and the places of the English ones, and lists of as many steps", () => {
    expect(own(words).map(([key]) => key)).toEqual(own(en).map(([key]) => key));
    for (const [key, source] of own(en)) {
      const text = table(words)[key] ?? "";
      expect([key, holes(text)]).toEqual([key, holes(source)]);
      expect([key, formsOf(text)[0]?.split("|").length]).toEqual([key, formsOf(source)[0]?.split("|").length]);
    }
  });

  it("leave nothing in English", () => {
    const left = own(en)
      .filter(([key, source]) => typeof source === "string" && table(words)[key] === source && !shared.has(source))
      .map(([key]) => key);
    expect(left).toEqual([]);
    const script = scripts[tag];
    const foreign = script
      ? Object.entries(words).filter(([, text]) => formsOf(text).some((form) => !script.test(form)))
      : [];
    expect(foreign).toEqual([]);
  });

  it("have every plural form that whole numbers take", () => {
    const rules = new Intl.PluralRules(languages[pickLanguage([tag])].tag);
    const wanted = [...new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))].sort();
    for (const [key, text] of Object.entries(words))
      if (typeof text !== "string") expect([key, Object.keys(text)]).toEqual([key, expect.arrayContaining(wanted)]);
  });

  it("name every problem that an applicant can meet, and explain no sign of fraud", () => {
    for (const code of met)
      expect([code, table(words)[`problem.${code}.title`], table(words)[`problem.${code}.remedy`]]).toEqual([
        code,
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ]);
    const said = (codes: string[]) =>
      new Set(codes.map((code) => `${words_(code, "title")} ${words_(code, "remedy")}`)).size;
    const words_ = (code: string, part: string) => String(table(words)[`problem.${code}.${part}`]);
    expect(said(["document.screen_copy", "document.paper_copy", "document.portrait_altered"])).toBe(1);
    expect(said(["liveness.failed", "liveness.faces_differ", "liveness.replayed", "capture.injected"])).toBe(1);
  });
});

it("the problems that have words are those that the server's catalogue gives to applicants", () => {
  const rows = readFileSync("../docs/reference/errors.md", "utf8").split(/^### /m).slice(1);
  const codes = rows.filter((row) => /for the applicant\./.test(row)).map((row) => row.split("\n")[0]);
  expect([...met].sort()).toEqual(codes.sort());
});

it("the table of languages in the documentation names each of them", () => {
  const page = readFileSync("../docs/languages.md", "utf8");
  for (const { name, tag } of Object.values(languages)) expect(page).toContain(`| ${name} | \`${tag}\` |`);
});

it("whoever changes a consent text gives it a new version", () => {
  const digestOf = (keys: RegExp): string => {
    const digest = createHash("sha256");
    for (const tag of tags)
      for (const [key, text] of own(all[tag] ?? en)) if (keys.test(key)) digest.update(`${tag} ${key} ${text}\n`);
    return digest.digest("hex").slice(0, 16);
  };
  expect([consentVersion.face, digestOf(/^consent\.(?!document_|faceless$|note_optional$|reconsider$)/)]).toEqual([
    "biometric-2026-11-2",
    "e519bccd9ef84607",
  ]);
  expect([consentVersion.optional, digestOf(/^consent\.(?!document_|decline$|note$|reconsider$)/)]).toEqual([
    "biometric-optional-2026-11-1",
    "5d02911e67290c0d",
  ]);
  expect([consentVersion.document, digestOf(/^consent\.(?!title$|why$|faceless$|note_optional$|reconsider$)/)]).toEqual(
    ["document-2026-11-1", "6672a4cc3b5f1e4b"],
  );
});

describe("speaking", () => {
  it("fills places and picks the plural form of the language", () => {
    const { t } = speaker("en", en);
    expect(t("capture.tries", { n: 1 })).toBe("1 try left");
    expect(t("capture.tries", { n: 2 })).toBe("2 tries left");
    expect(t("app.progress", { n: 2, total: 4 })).toBe("Step 2 of 4");
  });

  it.each([
    ["pl", ["została 1 próba", "zostały 2 próby", "zostało 5 prób", "zostały 22 próby"]],
    ["uk", ["залишилася 1 спроба", "залишилося 2 спроби", "залишилося 5 спроб", "залишилося 22 спроби"]],
    ["ar", ["بقيت محاولة واحدة", "بقيت محاولتان", "بقيت 5 محاولات", "بقيت 22 محاولة"]],
    ["zh", ["还可尝试 1 次", "还可尝试 2 次", "还可尝试 5 次", "还可尝试 22 次"]],
  ])("counts in %s", (tag, said) => {
    const { t } = speaker(tag, all[tag] ?? en);
    expect([1, 2, 5, 22].map((n) => t("capture.tries", { n }))).toEqual(said);
  });

  it("writes dates, parts and lists as the language does, with the digits of the documents", () => {
    const german = speaker("de", all.de ?? en);
    const arabic = speaker("ar", all.ar ?? en);
    expect(german.either(["a", "b", "c"])).toBe("a, b oder c");
    expect(speaker("tr", all.tr ?? en).percent(0.45)).toBe("%45");
    expect(arabic.percent(0.45)).toMatch(/45/);
    expect(arabic.date("2026-11-23T11:30:00Z")).toMatch(/2026/);
  });

  it("writes dates as the reader's region does", () => {
    const at = "2026-11-23T11:30:00Z";
    expect(speaker("en", en, "en-GB").date(at)).toMatch(/^23 Nov 2026/);
    expect(speaker("en", en, "en-US").date(at)).toMatch(/^Nov 23, 2026/);
    expect(speaker("ar", all.ar ?? en, "ar-EG-u-nu-arab").date(at)).toMatch(/2026/);
  });

  it("keeps a name that runs the other way apart from the sentence", () => {
    expect(speaker("ar", all.ar ?? en).t("result.return", { host: "bank.example" })).toContain(
      "\u2068bank.example\u2069",
    );
    expect(speaker("en", en).t("result.return", { host: "bank.example" })).toBe("Go back to bank.example");
    expect(speaker("en", en).t("result.return", { host: "بنك" })).toContain("\u2068بنك\u2069");
  });

  it("runs right to left where the language does", () => {
    expect([speaker("ar", en).dir, speaker("de", en).dir]).toEqual(["rtl", "ltr"]);
  });

  it("knows which keys there are", () => {
    const { has } = speaker("en", consoleWords);
    expect([has("state.approved"), has("state.constructor"), has("toString")]).toEqual([true, false, false]);
  });

  it.each([
    [["de-AT", "en"], "de"],
    [["pt-PT", "fr-CA"], "pt"],
    [["ja", "zh-TW", "en"], "zh"],
    [["xx"], "en"],
    [[""], "en"],
  ])("of %j picks %s", (wanted, picked) => expect(pickLanguage(wanted)).toBe(picked));

  it.each([
    ["zh-Hans", ["en-US", "zh-HK", "zh_CN"], "zh_CN"],
    ["zh-Hans", ["zh-HK"], undefined],
    ["pt-BR", ["pt-PT", "pt-BR"], "pt-BR"],
    ["pt-BR", ["pt-PT"], "pt-PT"],
    ["ar", ["ar-SA", "en-GB"], "ar-SA"],
    ["nl", ["en-GB"], undefined],
  ])("reads %s aloud with the best of the voices %j", (locale, voices, best) => {
    expect(
      voiceFor(
        locale,
        voices.map((lang) => ({ lang })),
      )?.lang,
    ).toBe(best);
  });
});

// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { voiceFor } from "../src/applicant/liveness/say.ts";
import chip from "../src/i18n/chip.json";
import { consoleWords } from "../src/i18n/console.ts";
import gallery from "../src/i18n/gallery.json";
import { languages, loadWords } from "../src/i18n/languages.ts";
import { pickLanguage } from "../src/i18n/pickLanguage.ts";
import { applicantProblems } from "../src/i18n/problems.ts";
import { speaker, type Text } from "../src/i18n/translate.ts";
import type { Words } from "../src/i18n/words.ts";

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string[] =>
  [...new Set(formsOf(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "")))].sort();
const table = (words: Words): Readonly<Record<string, Text>> => words;
const own = (words: Words) => Object.entries(words).filter(([key]) => !key.startsWith("problem."));

const folder = "src/i18n/applicant";
const codes = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
type About = { name: string; tag: string; address: string; reviewed: string; same_as_english?: string[] };
const aboutOf = (code: string): About => JSON.parse(readFileSync(`${folder}/${code}.json`, "utf8")).language;

const en = await loadWords.en();
const all: Record<string, Words> = {};
for (const [code, load] of Object.entries(loadWords)) all[code] = await load();
const others = Object.entries(all).filter(([code]) => code !== "en");

/** The script of a language, where it is not the Latin one: every text has letters of it. */
function scriptOf(tag: string): RegExp | undefined {
  const script = new Intl.Locale(tag).maximize().script?.replace(/^Han[st]$/, "Hani");
  return script === "Latn" ? undefined : new RegExp(`\\p{Script=${script}}`, "u");
}

describe("the words of the chip's screen, which load with it", () => {
  const english: Readonly<Record<string, string>> = chip.en;

  it.each(Object.keys(languages))("are there in %s, with the places of the English ones", (code) => {
    const words: Readonly<Record<string, string>> = { ...chip }[code] ?? {};
    expect(Object.keys(words)).toEqual(Object.keys(english));
    for (const [key, source] of Object.entries(english)) {
      expect([key, holes(words[key] ?? "")]).toEqual([key, holes(source)]);
      if (code !== "en") expect(words[key]).not.toBe(source);
    }
  });
});

it("the applicant's screens speak every language that has a file, the first twelve among them", () => {
  expect(Object.keys(languages).sort()).toEqual(codes.sort());
  expect(codes).toEqual(
    expect.arrayContaining(["ar", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "tr", "uk", "zh"]),
  );
});

it("the question about a gallery is asked in every language, with the places of the English one", () => {
  expect(Object.keys(gallery).sort()).toEqual(Object.keys(languages).sort());
  for (const [code, words] of Object.entries(gallery)) {
    expect(Object.keys(words)).toEqual(Object.keys(gallery.en));
    for (const [key, text] of Object.entries(words)) {
      expect([code, key, holes(text)]).toEqual([code, key, holes(gallery.en[key as keyof typeof gallery.en])]);
      if (code !== "en") expect([code, text]).not.toEqual([code, gallery.en[key as keyof typeof gallery.en]]);
    }
  }
});

it.each(Object.entries(languages))("the list of languages says of %s what its file says", (code, listed) => {
  expect(listed).toEqual({ name: aboutOf(code).name, tag: aboutOf(code).tag });
});

describe.each(others)("the %s words", (code, words) => {
  const { tag, same_as_english = [] } = aboutOf(code);

  it("have the keys and the places of the English ones, and lists of as many steps", () => {
    expect(own(words).map(([key]) => key)).toEqual(own(en).map(([key]) => key));
    for (const [key, source] of own(en)) {
      const text = table(words)[key] ?? "";
      expect([key, holes(text)]).toEqual([key, holes(source)]);
      expect([key, formsOf(text)[0]?.split("|").length]).toEqual([key, formsOf(source)[0]?.split("|").length]);
    }
  });

  it("leave nothing in English but what the file says is the same", () => {
    const left = own(en)
      .filter(([key, source]) => typeof source === "string" && table(words)[key] === source)
      .map(([key]) => key);
    expect(left).toEqual(same_as_english);
    const script = scriptOf(tag);
    const foreign = script
      ? Object.entries(words).filter(([, text]) => formsOf(text).some((form) => !script.test(form)))
      : [];
    expect(foreign).toEqual([]);
  });

  it("have every plural form that whole numbers take", () => {
    const rules = new Intl.PluralRules(tag);
    const wanted = [...new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))].sort();
    for (const [key, text] of Object.entries(words))
      if (typeof text !== "string") expect([key, Object.keys(text)]).toEqual([key, expect.arrayContaining(wanted)]);
  });

  it("have a title and a remedy for a problem, or neither", () => {
    for (const code of applicantProblems) {
      const [title, remedy] = [table(words)[`problem.${code}.title`], table(words)[`problem.${code}.remedy`]];
      expect([code, title === undefined]).toEqual([code, remedy === undefined]);
    }
  });

  // A reason is added in one file, and its translations follow before the next release.
  it.runIf(process.env.NIGHTLY)("name every problem that an applicant can meet", () => {
    for (const code of applicantProblems)
      expect([code, table(words)[`problem.${code}.title`], table(words)[`problem.${code}.remedy`]]).toEqual([
        code,
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ]);
  });

  it("explain no sign of fraud", () => {
    const textOf = (code: string, part: string) => String(table(words)[`problem.${code}.${part}`]);
    const said = (codes: string[]) =>
      new Set(codes.map((code) => `${textOf(code, "title")} ${textOf(code, "remedy")}`)).size;
    expect(said(["document.screen_copy", "document.paper_copy", "document.portrait_altered", "document.edited"])).toBe(
      1,
    );
    expect(said(["liveness.failed", "liveness.faces_differ", "liveness.replayed", "capture.injected"])).toBe(1);
  });
});

it("the problems that have words are those that the server's catalogue gives to applicants", () => {
  const rows = readFileSync("../docs/reference/errors.md", "utf8").split(/^### /m).slice(1);
  const codes = rows.filter((row) => /for the applicant\./.test(row)).map((row) => row.split("\n")[0]);
  expect([...applicantProblems].sort()).toEqual(codes.sort());
});

it("the problem that the page itself finds is said in English as the catalogue says it", () => {
  const [, row = ""] = readFileSync("../docs/reference/errors.md", "utf8").split("### capture.not_an_image\n\n");
  const { title, remedy } = {
    title: en["problem.capture.not_an_image.title"],
    remedy: en["problem.capture.not_an_image.remedy"],
  };
  expect(row.split("\n")[0]).toBe(`${title} ${remedy}`);
});

it("the table of languages in the documentation names each of them", () => {
  const page = readFileSync("../docs/reference/languages.md", "utf8");
  for (const { name, tag } of Object.values(languages)) expect(page).toContain(`| ${name} | \`${tag}\` |`);
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

/** What a native speaker would stumble over, seen in earlier texts. */
const stumbles =
  /\b(stands? (beside|in|there)|lies in|of which|meanwhile|deceit|mends?|anew|kept out|taken? back|goes by itself|somebody|would be others|by that name|bring it back|for ever|the newest ones|one changes)\b|^Who (?!did)|^Whoever /i;

const spoken: [string, Readonly<Record<string, Text>>][] = [
  ["console", consoleWords],
  ["applicant's", en],
];
it.each(spoken)("the %s words read as English", (_, words) => {
  const found = Object.entries(words).flatMap(([key, text]) =>
    formsOf(text).flatMap((form) => (stumbles.test(form) ? [`${key}: ${form}`] : [])),
  );
  expect(found).toEqual([]);
});

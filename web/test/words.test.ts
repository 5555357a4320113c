import { describe, expect, it } from "vitest";
import { pickLanguage } from "../src/applicant/words.tsx";
import { consoleWords } from "../src/i18n/console.ts";
import { de } from "../src/i18n/de.ts";
import { en } from "../src/i18n/en.ts";
import { fr } from "../src/i18n/fr.ts";
import { speaker, type Text } from "../src/i18n/translate.ts";

const holes = (text: Text): string[] => {
  const forms = typeof text === "string" ? [text] : Object.values(text);
  return [...new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "")))].sort();
};

describe.each(Object.entries({ de, fr }))("the %s words", (_, words) => {
  it("have the keys and the places of the English ones, and no text is left in English", () => {
    const english: Readonly<Record<string, Text>> = en;
    expect(Object.keys(words).filter((key) => !key.startsWith("problem."))).toEqual(
      Object.keys(en).filter((key) => !key.startsWith("problem.")),
    );
    for (const [key, text] of Object.entries(words)) {
      const source = english[key];
      if (source !== undefined) expect([key, holes(text)]).toEqual([key, holes(source)]);
      if (typeof text === "string" && text.length > 24) expect([key, text]).not.toEqual([key, source]);
    }
  });
});

describe("speaking", () => {
  it("fills places and picks the plural form of the language", () => {
    const { t } = speaker("en", en);
    expect(t("capture.tries", { n: 1 })).toBe("1 try left");
    expect(t("capture.tries", { n: 2 })).toBe("2 tries left");
    expect(t("app.progress", { n: 2, total: 4 })).toBe("Step 2 of 4");
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
    [["pt-BR", "fr-CA"], "fr"],
    [["xx"], "en"],
    [[""], "en"],
  ])("of %j picks %s", (wanted, picked) => expect(pickLanguage(wanted)).toBe(picked));
});

import type { Words } from "./en.ts";

/**
 * The languages of the applicant's screens: their own names, and the tag that the page carries and a consent records.
 * Each loads where it is spoken.
 */
export const languages = {
  de: { name: "Deutsch", tag: "de" },
  en: { name: "English", tag: "en" },
  es: { name: "Español", tag: "es" },
  fr: { name: "Français", tag: "fr" },
  it: { name: "Italiano", tag: "it" },
  nl: { name: "Nederlands", tag: "nl" },
  pl: { name: "Polski", tag: "pl" },
  pt: { name: "Português", tag: "pt-BR" },
  tr: { name: "Türkçe", tag: "tr" },
  uk: { name: "Українська", tag: "uk" },
  ar: { name: "العربية", tag: "ar" },
  zh: { name: "中文", tag: "zh-Hans" },
} as const;
export type Language = keyof typeof languages;

export const loadWords: Record<Language, () => Promise<Words>> = {
  en: async () => (await import("./en.ts")).en,
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
  it: async () => (await import("./it.ts")).it,
  nl: async () => (await import("./nl.ts")).nl,
  pl: async () => (await import("./pl.ts")).pl,
  pt: async () => (await import("./pt.ts")).pt,
  tr: async () => (await import("./tr.ts")).tr,
  uk: async () => (await import("./uk.ts")).uk,
  ar: async () => (await import("./ar.ts")).ar,
  zh: async () => (await import("./zh.ts")).zh,
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/**
 * The first of the wanted languages that there is and that is offered, else English, else the first that is offered. Tags are
 * BCP 47; only the language part counts. `offered` names languages with a space between them; empty for all.
 */
export function pickLanguage(wanted: readonly string[], offered = ""): Language {
  for (const tag of [...wanted, "en", offered]) {
    const part = tag.toLowerCase().split(/[- ]/)[0] ?? "";
    if (isLanguage(part) && (!offered || offered.includes(part))) return part;
  }
  return "en";
}

import type { consoleWords } from "./console.ts";
import type { Dictionary } from "./translate.ts";

type Words = Dictionary<keyof typeof consoleWords>;

/** The console's languages, by their own names. English comes with the console; each other one is a file that its readers load. */
export const consoleLanguages = { en: "English", de: "Deutsch" } as const;
export type ConsoleLanguage = keyof typeof consoleLanguages;

const loaders: Record<Exclude<ConsoleLanguage, "en">, () => Promise<Words>> = {
  de: async () => (await import("./console.de.ts")).germanWords,
};

const isLanguage = (tag: string | null | undefined): tag is ConsoleLanguage =>
  tag != null && Object.hasOwn(consoleLanguages, tag);

const place = "bonafide.language";

/** The language that was chosen in this browser; null where the browser's own languages count. */
export function chosenLanguage(): ConsoleLanguage | null {
  try {
    const kept = localStorage.getItem(place);
    return isLanguage(kept) ? kept : null;
  } catch {
    return null; // storage is off
  }
}

export function keepLanguage(language: ConsoleLanguage | null): void {
  try {
    if (language) localStorage.setItem(place, language);
    else localStorage.removeItem(place);
  } catch {
    // Storage is off: the browser's languages go on counting.
  }
}

const languageOf = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? "";

/** The language that the console speaks: the chosen one, else the first of the browser's that it knows. */
export function spokenLanguage(chosen: ConsoleLanguage | null, preferred: readonly string[]): ConsoleLanguage {
  return chosen ?? preferred.map(languageOf).find(isLanguage) ?? "en";
}

/** How dates and numbers are written: as the browser says for that language, "en-GB" or "de-AT". */
export function formatOf(language: ConsoleLanguage, preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) === language) ?? (language === "en" ? "en-GB" : language);
}

/** The texts of a language; the English ones, which are there, where its file cannot be had. */
export async function consoleWordsOf(language: ConsoleLanguage, english: Words): Promise<[ConsoleLanguage, Words]> {
  if (language === "en") return ["en", english];
  try {
    return [language, await loaders[language]()];
  } catch {
    return ["en", english];
  }
}

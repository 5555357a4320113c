import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Words } from "../../src/i18n/words.ts";

/** Reads the texts of a language from its file, as the pages load them. */
export function wordsOf(language: string): Words {
  const file = fileURLToPath(new URL(`../../src/i18n/applicant/${language}.json`, import.meta.url));
  return JSON.parse(readFileSync(file, "utf8")).words;
}

import { type Language, languages } from "./languages.ts";

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/**
 * Returns the first of the wanted languages that exists and is offered; failing that English, failing that the first offered.
 * Tags are BCP 47, and only their language part counts. `offered` lists language codes separated by spaces; empty means all.
 */
export function pickLanguage(wanted: readonly string[], offered = ""): Language {
  for (const tag of [...wanted, "en", offered]) {
    const part = tag.toLowerCase().split(/[- ]/)[0] ?? "";
    if (isLanguage(part) && (!offered || offered.includes(part))) return part;
  }
  return "en";
}

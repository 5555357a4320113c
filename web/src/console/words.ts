import { consoleWords } from "../i18n/console.ts";
import { chosenLanguage, consoleWordsOf, formatOf, spokenLanguage } from "../i18n/consoleLanguages.ts";
import { speaker } from "../i18n/translate.ts";

// Every module of the console waits here for its texts, so that also those which speak when they are loaded speak one language.
const [language, dictionary] = await consoleWordsOf(
  spokenLanguage(chosenLanguage(), navigator.languages),
  consoleWords,
);
const format = formatOf(language, navigator.languages);

/** The console's language, and dates and numbers as its readers write them. */
export const words = { ...speaker(language, dictionary, format), language, locale: format, dictionary };
export const { t, has } = words;

const numbers = new Intl.NumberFormat(format);

/** A whole number, or one with the decimal places that are asked for. */
export const numeral = (n: number, places?: number): string =>
  places === undefined
    ? numbers.format(n)
    : new Intl.NumberFormat(format, { minimumFractionDigits: places, maximumFractionDigits: places }).format(n);

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
];

/** How long ago, in the largest unit that fits. */
export function ago(iso: string, now = Date.now()): string {
  let amount = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(Math.round(amount)) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return iso;
}

export const absolute = (iso: string): string =>
  new Intl.DateTimeFormat(format, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(iso));

/** A name of the server's as the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(format) + text.slice(1);

/** Returns the text for a code; the code itself where this console is too old to know it. */
export const labelOf = (prefix: string, code: string): string => {
  const key = `${prefix}.${code}`;
  return has(key) ? t(key) : code;
};

/** What the server's catalogue says of a code, in the console's language; `english` where the dictionary has no such text. */
export const catalogueText = (code: string, part: "title" | "remedy" | "reviewer", english: string): string => {
  const key = `problem.${code}.${part}`;
  return has(key) ? t(key) : english;
};

import { consoleWords } from "../i18n/console.ts";
import { speaker } from "../i18n/translate.ts";

/** The console speaks English for now; the dictionary is keyed so that others can follow. Dates are in the reader's format. */
export const words = { ...speaker("en", consoleWords), locale: navigator.language };
export const { t, has } = words;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
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
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return iso;
}

export const absolute = (iso: string): string =>
  new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(iso));

/** Returns the text for a code; the code itself where this console is too old to know it. */
export const labelOf = (prefix: string, code: string): string => {
  const key = `${prefix}.${code}`;
  return has(key) ? t(key) : code;
};

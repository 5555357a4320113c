import { consoleWords } from "../i18n/console.ts";
import { rows } from "../i18n/rows.ts";
import { patterns, sayer } from "../i18n/sentences.ts";
import { countryOf } from "./parts/country.ts";
import { absolute, capital, has, numeral, t, words } from "./words.ts";

/** The sentence without its first capital and its full stop, as a dictionary has it. */
const bare = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

const details = patterns(words.dictionary, "detail.", /^(n|least|most|line|column)$/, ".+?");

function inDictionary(sentence: string): string | undefined {
  const said = bare(sentence);
  const exact = `detail.${said}`;
  if (has(exact)) return t(exact);
  for (const { key, places, fits } of details) {
    const found = fits.exec(said)?.slice(1);
    if (!found || !has(key)) continue;
    return t(key, Object.fromEntries(found.map((value, i) => [places[i], inDictionary(value) ?? value])));
  }
  return undefined;
}

/** A sentence that the server added to a problem, in the console's language; undefined where the language does not have it. */
export function detailText(english: string): string | undefined {
  if (words.language === "en") return english;
  const here = inDictionary(english);
  return here ? `${capital(here)}.` : saidText(english);
}

/** Questions of checks, by what they are in English. */
const questions = new Map(
  Object.entries(consoleWords).flatMap(([key, text]) =>
    key.startsWith("check.") && typeof text === "string" ? [[text, key] as const] : [],
  ),
);

const dayOnly = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** What a name, a date or a code within a sentence of the server's is here. */
function valueText(text: string): string | undefined {
  if (instant.test(text)) return absolute(text);
  if (dayOnly.test(text)) return new Intl.DateTimeFormat(words.locale, { dateStyle: "medium" }).format(new Date(text));
  const quoted = /^“(.*)”$/s.exec(text)?.[1];
  if (quoted !== undefined) return `„${questionText(quoted) ?? quoted}“`;
  const state = /^[^()]+ \(([A-Z]{1,3})\)$/.exec(text)?.[1];
  if (state) return countryOf(state);
  const share = /^(\d+(?:\.\d+)?)(\u00a0%)$/.exec(text);
  if (share?.[1]) return numeral(Number(share[1]), share[1].split(".")[1]?.length) + share[2];
  return ["check", "step"]
    .map((prefix) => `${prefix}.${text}`)
    .filter(has)
    .map((key) => t(key))[0];
}

function questionText(english: string): string | undefined {
  const key = questions.get(english);
  return key && has(key) ? t(key) : undefined;
}

const inWords = sayer(
  words.dictionary,
  { locale: words.locale, t: (key, params) => (has(key) ? t(key, params) : "") },
  numeral,
  valueText,
);

/**
 * A sentence of a health check, a difference or a fault of a workflow, or a note of a check, in the console's language; undefined
 * where the language does not have it.
 */
export const saidText = (english: string): string | undefined =>
  words.language === "en" ? english : (inWords(english) ?? (/\s/.test(english) ? undefined : english));

/** The same, and the English sentence where there is no other. */
export const said = (english: string): string => saidText(english) ?? english;

/** The name of a rule that decided: a row of the default policy in the console's language, or what an author called it. */
export const ruleName = (name: string): string => (rows.has(name) ? said(name) : name);

import type { Dictionary } from "./translate.ts";

type Words = Dictionary<string>;
type Say = (key: string, params?: Readonly<Record<string, string | number>>) => string;

const place = /\{(\w+)\}/g;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A sentence with places, and what it looks like once the server has filled them. */
export type Pattern = {
  readonly key: string;
  readonly places: readonly string[];
  /** Places between straight quotation marks: names and codes of ours. */
  readonly quoted: readonly boolean[];
  /** Places between curly quotation marks: what an author wrote, which nothing translates. */
  readonly written: readonly boolean[];
  readonly fits: RegExp;
};

/** The sentences of a dictionary that have places, those with the most words first: a text that two fit is the narrower one. */
export function patterns(words: Words, prefix: string, numeric: RegExp, text: string): Pattern[] {
  const found: (Pattern & { length: number })[] = [];
  for (const key of Object.keys(words)) {
    if (!key.startsWith(prefix) || !key.includes("{")) continue;
    const parts = key.slice(prefix.length).split(place); // words and places in turn
    const fits = parts.map((part, i) =>
      i % 2 === 0 ? literal(part) : numeric.test(part) ? "(\\d+(?:\\.\\d+)?)" : `(${text})`,
    );
    found.push({
      key,
      places: parts.filter((_, i) => i % 2 === 1),
      quoted: parts.filter((_, i) => i % 2 === 0).map((before) => /["']$/.test(before)),
      written: parts.filter((_, i) => i % 2 === 0).map((before) => before.endsWith("“")),
      fits: new RegExp(`^${fits.join("")}$`),
      length: parts.filter((_, i) => i % 2 === 0).join("").length,
    });
  }
  return found.sort((a, b) => b.length - a.length);
}

/** What a name, a date or a code in the place of a sentence becomes; undefined where it stays. */
type Value = (text: string) => string | undefined;

/** What separates the items of a list that the server wrote, and what does here; a type for a list that ends in "and" or "or". */
const lists: readonly (readonly [RegExp, string, Intl.ListFormatType?])[] = [
  [/; /, "; "],
  [/, | or /, ", ", "disjunction"],
  [/, | and /, ", ", "conjunction"],
];

/** What is longer is no sentence of the server's, which has at most two conditions of 1 000 characters in it. */
const longest = 4000;

/** How many places where a text may be two sentences are tried. */
const mostParts = 8;

/** How many parts of one text are tried. A text that needs more was written to match many sentences at once. It is not translated. */
const mostLooks = 200;

/**
 * Translates what the server wrote in English into the language of a dictionary, by the sentences under "said.". It returns
 * undefined for a text that the dictionary does not have. A value that `value` does not know is not translated.
 */
export function sayer(
  words: Words,
  { locale, t }: { locale: string; t: Say },
  numeral: (n: number, places?: number) => string,
  value: Value,
): Value {
  let all: Pattern[] | undefined;
  let looks = 0;
  const seen = new Map<string, string | undefined>(); // of the text at hand
  const known = (text: string): string | undefined => {
    const key = `said.${text}`;
    return Object.hasOwn(words, key) ? t(key) : undefined;
  };

  function filled(text: string): string | undefined {
    all ??= patterns(words, "said.", /^n\d*$/, ".*?");
    for (const { key, places, quoted, written, fits } of all) {
      const found = fits.exec(text)?.slice(1);
      if (!found) continue;
      const here = found.map((one, i) => {
        if (written[i]) return one;
        if (places[i]?.startsWith("n")) return number(one);
        return quoted[i] ? (value(one) ?? one) : placed(one);
      });
      return t(key, Object.fromEntries(here.map((one, i) => [places[i], one])));
    }
    return undefined;
  }

  /** Sentences that the server put one behind the other, with or without a space of their own. */
  function parted(text: string): string | undefined {
    for (
      let at = text.indexOf(". "), tries = 0;
      at >= 0 && tries < mostParts;
      at = text.indexOf(". ", at + 1), tries++
    ) {
      if (++looks > mostLooks) return undefined;
      const first = text.slice(0, at + 1);
      const here = known(first) ?? filled(first);
      if (!here) continue;
      const rest = whole(text.slice(at + 1));
      if (rest) return here + rest;
      const next = whole(text.slice(at + 2));
      if (next) return `${here} ${next}`;
    }
    return undefined;
  }

  function whole(text: string): string | undefined {
    if (seen.has(text)) return seen.get(text);
    if (++looks > mostLooks) return undefined;
    const here = known(text) ?? parted(text) ?? filled(text);
    seen.set(text, here);
    return here;
  }

  function item(text: string): string | undefined {
    return known(text) ?? value(text) ?? filled(text);
  }

  function listed(text: string): string | undefined {
    for (const [between, here, type] of lists) {
      const items = text.split(between);
      if (items.length < 2 || (type && !text.includes(type === "disjunction" ? " or " : " and "))) continue;
      const said = items.map((one) => item(one) ?? one);
      return type ? new Intl.ListFormat(locale, { type }).format(said) : said.join(here);
    }
    const items = text.split(", ").map((one) => item(one) ?? one);
    return items.length > 1 ? items.join(", ") : undefined;
  }

  function placed(text: string): string {
    if (++looks > mostLooks) return text;
    return item(text) ?? parted(text) ?? listed(text) ?? text;
  }

  const number = (text: string): string => numeral(Number(text), text.split(".")[1]?.length);

  return (text) => {
    looks = 0;
    seen.clear();
    return text.length > longest ? undefined : whole(text);
  };
}

/** A text, or its forms by the plural category of the parameter `n` (Intl.PluralRules; no message runtime). */
export type Text = string | ({ readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string });
type Params = Readonly<Record<string, string | number>>;
export type Dictionary<K extends string> = Readonly<Record<K, Text>>;

/** What a screen needs to speak: a text by its key, and dates, numbers and lists in the reader's format. */
export type Speaker<K extends string> = {
  readonly locale: string;
  readonly dir: "ltr" | "rtl";
  t(key: K, params?: Params): string;
  /** Whether a text with that key exists; for keys made from codes that the server sends. */
  has(key: string): key is K;
  date(iso: string): string;
  /** A part of a whole, 0 to 1. */
  percent(part: number): string;
  /** "a, b or c" */
  either(items: readonly string[]): string;
};

const rightToLeft = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/;
const hasRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const isolate = (text: string) => `\u2068${text}\u2069`;

/**
 * `region` is the same language as the reader's system writes it: dates and numbers follow it. A text that is not there is
 * empty; only words that have not come yet lack any.
 */
export function speaker<K extends string>(locale: string, words: Partial<Dictionary<K>>, region = locale): Speaker<K> {
  const plural = new Intl.PluralRules(locale);
  // The digits of every text are Latin, as those on the documents are.
  const format = `${new Intl.Locale(region).baseName}-u-nu-latn`;
  const number = new Intl.NumberFormat(format);
  const dir = rightToLeft.test(locale) ? "rtl" : "ltr";
  const form = (text: Text, n: string | number | undefined): string =>
    typeof text === "string" ? text : (text[plural.select(Number(n ?? 0))] ?? text.other);
  // A name that runs the other way keeps its own order, and the sentence around it keeps its.
  const placed = (value: string | number): string => {
    if (typeof value === "number") return number.format(value);
    return dir === "rtl" || hasRightToLeft.test(value) ? isolate(value) : value;
  };
  return {
    locale,
    dir,
    t: (key, params = {}) =>
      form(words[key] ?? "", params.n).replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = params[name];
        return value === undefined ? whole : placed(value);
      }),
    has: (key): key is K => Object.hasOwn(words, key),
    date: (iso) => new Intl.DateTimeFormat(format, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso)),
    percent: (part) => new Intl.NumberFormat(format, { style: "percent" }).format(part),
    either: (items) => new Intl.ListFormat(locale, { type: "disjunction" }).format(items),
  };
}

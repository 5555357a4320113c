/** A text, or its forms by the plural category of the parameter `n` (Intl.PluralRules; no message runtime). */
export type Text = string | ({ readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string });
export type Params = Readonly<Record<string, string | number>>;
export type Dictionary<K extends string> = Readonly<Record<K, Text>>;

/** What a screen needs to speak: a text by its key, and dates and numbers in the reader's format. */
export type Speaker<K extends string> = {
  readonly locale: string;
  readonly dir: "ltr" | "rtl";
  t(key: K, params?: Params): string;
  /** Whether a text with that key exists; for keys made from codes that the server sends. */
  has(key: string): key is K;
  date(iso: string): string;
};

const rightToLeft = /^(ar|he|fa|ur)\b/;

export function speaker<K extends string>(locale: string, words: Dictionary<K>): Speaker<K> {
  const plural = new Intl.PluralRules(locale);
  const form = (text: Text, n: string | number | undefined): string =>
    typeof text === "string" ? text : (text[plural.select(Number(n ?? 0))] ?? text.other);
  return {
    locale,
    dir: rightToLeft.test(locale) ? "rtl" : "ltr",
    t: (key, params = {}) =>
      form(words[key], params.n).replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole)),
    has: (key): key is K => Object.hasOwn(words, key),
    date: (iso) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso)),
  };
}

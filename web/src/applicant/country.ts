import type { Issuer } from "../api/wire.ts";

/** The name of an issuer in a language, from the browser's own list; what that lacks, organisations mostly, in English. */
export function nameOf({ region, name }: Pick<Issuer, "region" | "name">, locale: string): string {
  if (!region) return name;
  try {
    return new Intl.DisplayNames([locale], { type: "region", fallback: "none" }).of(region) ?? name;
  } catch {
    return name;
  }
}

/** Regions that the browser's languages name or suggest, the first first: where the person probably is from. */
export function regionsOf(languages: readonly string[]): string[] {
  const found: string[] = [];
  for (const tag of languages) {
    try {
      const region = new Intl.Locale(tag).maximize().region;
      if (region && !found.includes(region)) found.push(region);
    } catch {
      // no language tag
    }
  }
  return found;
}

/**
 * Returns the issuer that a document probably has: the only one that is accepted, the one that was said before, or the first accepted one
 * that the browser's languages suggest. Null where none of them is known.
 */
export function presetOf(issuers: readonly Issuer[], said: string, languages: readonly string[]): Issuer | null {
  const accepted = issuers.filter((issuer) => issuer.accepted);
  const [only] = accepted.length === 1 ? accepted : accepted.filter(({ code }) => code === said);
  if (only) return only;
  const [likely] = regionsOf(languages).flatMap((region) => accepted.filter((issuer) => issuer.region === region));
  return likely ?? null;
}

/** A country with what it is called in the reader's language. */
export type Named = { issuer: Issuer; name: string };

/** All countries by name; first those that are likely and accepted, last the organisations that issue documents. */
export function named(issuers: readonly Issuer[], locale: string, languages: readonly string[]): Named[] {
  const { compare } = new Intl.Collator(locale);
  const regions = regionsOf(languages);
  const place = ({ issuer }: Named) => {
    const at = issuer.accepted && issuer.region ? regions.indexOf(issuer.region) : -1;
    return at < 0 ? regions.length : at;
  };
  const unlisted = ({ issuer }: Named) => (issuer.region ? 0 : 1);
  return issuers
    .map((issuer) => ({ issuer, name: nameOf(issuer, locale) }))
    .sort((a, b) => place(a) - place(b) || unlisted(a) - unlisted(b) || compare(a.name, b.name));
}

/** Letters that Unicode does not take apart, and what people type for them. */
const letters: Readonly<Record<string, string>> = { ı: "i", ł: "l", ø: "o", đ: "d", æ: "ae" };

/** Without accents, marks and case, so that “cote divoire” finds “Côte d’Ivoire” and “ırak” finds “Irak”. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{P}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/[ıłøđæ]/g, (letter) => letters[letter] ?? letter);

const joined = (text: string): string => text.replaceAll(" ", "");

/** How well a country fits what was typed: 0 best, -1 not at all. */
function rankOf({ issuer, name }: Named, typed: string): number {
  const own = plain(name);
  if (own.startsWith(typed) || joined(own).startsWith(joined(typed))) return 0;
  if (issuer.code.toLowerCase() === typed || issuer.region.toLowerCase() === typed) return 0;
  if (own.split(" ").some((word) => word.startsWith(typed))) return 1;
  if (plain(issuer.name).startsWith(typed)) return 2; // as the document itself may say it
  return typed.length > 2 && own.includes(typed) ? 3 : -1;
}

/**
 * What fits the typed text, the best first. Without text these are the countries that are accepted; what is not is found by
 * looking for it, so that nobody wonders where it is.
 */
export function matching(all: readonly Named[], text: string): Named[] {
  const typed = plain(text);
  if (!typed) return all.filter(({ issuer }) => issuer.accepted);
  return all
    .map((one) => ({ one, fits: rankOf(one, typed) }))
    .filter(({ fits }) => fits >= 0)
    .sort((a, b) => a.fits - b.fits)
    .map(({ one }) => one);
}

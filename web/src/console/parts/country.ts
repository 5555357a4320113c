import { states } from "../../i18n/states.ts";
import { words } from "../words.ts";

const regions = new Intl.DisplayNames([words.locale], { type: "region", fallback: "none" });

function regionName(region: string): string | undefined {
  try {
    return regions.of(region);
  } catch {
    return undefined;
  }
}

/** What a state is called in the console's language, by its code of ICAO 9303 or of ISO 3166-1; the code itself where it is unknown. */
export function countryName(code: string): string {
  if (code.length === 2) return regionName(code) ?? code;
  const { region, name } = states[code] ?? { region: "", name: "" };
  return (region && regionName(region)) || name || code;
}

/** The same with the code beside it, for where the code is what is stored and sent. */
export function countryOf(code: string | null | undefined): string {
  if (!code) return "";
  const name = countryName(code);
  return name === code ? code : `${name} (${code})`;
}

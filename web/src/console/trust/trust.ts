import type { Me, Mode, TrustChange, TrustCountry, Trusted, TrustUpdate, TrustWarning } from "../../api/wire.ts";
import type { Shape } from "../../ui/shapes.tsx";
import { countryName } from "../parts/country.ts";

/** Whether somebody may change trust in a mode: developers may in test mode alone. The server decides. */
export const mayWrite = ({ may, roles }: Me, mode: Mode): boolean =>
  may.includes("trust.write") && (mode === "test" || roles.some((role) => role !== "developer"));

export type Block = "role" | "same_person" | "same_undo";

/** Why somebody may not accept an update that waits; null where they may. */
export function acceptBlock(me: Me, two: boolean, { mode, proposed }: TrustUpdate): Block | null {
  if (!mayWrite(me, mode)) return "role";
  return two && proposed?.by === me.id ? "same_person" : null;
}

/** Why somebody may not undo an update that is in force; null where they may. */
export function undoBlock(me: Me, two: boolean, { mode, undo_asked }: TrustUpdate): Block | null {
  if (!mayWrite(me, mode)) return "role";
  return two && undo_asked?.by === me.id ? "same_undo" : null;
}

export type Cover = "expired" | "expires" | "covered";

/** How well a country is covered, and the shape that says so. */
export function coverOf({ valid, valid_in_90_days }: TrustCountry): { cover: Cover; shape: Shape } {
  if (valid === 0) return { cover: "expired", shape: "fail" };
  if (valid_in_90_days === 0) return { cover: "expires", shape: "unsure" };
  return { cover: "covered", shape: "pass" };
}

export type Revocation = "none" | "old" | "good";

/** Whether the signers of a country are checked against a revocation list, and until when that list is good. */
export function revocationOf(
  { revocation_lists }: Trusted,
  country: string,
): { state: Revocation; until: string | null } {
  const lists = revocation_lists.filter((one) => one.purpose === "csca" && one.scope === country);
  const usable = lists.find((one) => one.usable);
  if (usable) return { state: "good", until: usable.until };
  return lists[0] ? { state: "old", until: lists[0].until } : { state: "none", until: null };
}

export const filters = ["all", "attention", "unrevoked"] as const;
export type Filter = (typeof filters)[number];

/** The countries whose name or code holds the text, and that the filter takes. */
export function found(trusted: Trusted, text: string, filter: Filter): TrustCountry[] {
  const wanted = text.trim().toLowerCase();
  return trusted.countries.filter((one) => {
    if (wanted && !`${countryName(one.country)} ${one.country}`.toLowerCase().includes(wanted)) return false;
    if (filter === "attention")
      return coverOf(one).cover !== "covered" || revocationOf(trusted, one.country).state === "old";
    return filter === "all" || revocationOf(trusted, one.country).state !== "good";
  });
}

export type Changes = { country: string; added: number; removed: number; changed: number; all: TrustChange[] };

/** The changes of an update by country, in the order in which they come. */
export function byCountry(changes: readonly TrustChange[]): Changes[] {
  const out = new Map<string, Changes>();
  for (const one of changes) {
    const of = out.get(one.country) ?? { country: one.country, added: 0, removed: 0, changed: 0, all: [] };
    of[one.kind] += 1;
    of.all.push(one);
    out.set(one.country, of);
  }
  return [...out.values()];
}

/** The shape of a warning: what fails today, or what will. */
export const shapeOf = ({ kind }: TrustWarning): Shape =>
  kind === "authority_expired" || kind === "revocation_old" ? "fail" : "unsure";

export const dayOf = (iso: string): string => iso.slice(0, 10);

/** Whole days since a moment. */
export const daysSince = (iso: string, now = Date.now()): number =>
  Math.max(0, Math.floor((now - Date.parse(iso)) / 86_400_000));

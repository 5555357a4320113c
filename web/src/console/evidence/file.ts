import type { Artifact, Box, Check, Claim, ClaimSource, MRZ, Reason, SessionFile } from "../../api/wire.ts";

/** A place on a picture: where a fact was read. */
export type Place = { capture: string; box: Box; key: string };

/** The checks of the report, or those that have come in so far. */
export const checksOf = (file: SessionFile): Check[] =>
  file.report?.checks ?? ("checks" in file && Array.isArray(file.checks) ? file.checks : []);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
export const isNumber = (value: unknown): value is number => typeof value === "number";

export function boxOf(value: unknown): Box | null {
  if (!isObject(value)) return null;
  const { x, y, width, height } = value;
  return isNumber(x) && isNumber(y) && isNumber(width) && isNumber(height) ? { x, y, width, height } : null;
}

const boxesOf = (value: unknown): Box[] => (Array.isArray(value) ? value.map(boxOf).filter((box) => box !== null) : []);

/** How many quarter turns clockwise make the picture of a capture upright: what was read counts from there. */
export function turnOf(artifacts: readonly Artifact[], capture: string): number {
  const page = artifacts.find(
    (artifact) => artifact.capture === capture && artifact.kind === "page" && artifact.present,
  );
  const turn = isObject(page?.data) ? page.data.turn : 0;
  return isNumber(turn) ? ((turn % 4) + 4) % 4 : 0;
}

export type Mark = {
  kind: "mrz" | "barcode" | "face" | "printed" | "edited" | "cut" | "likely";
  box: Box;
  label: string;
};

/** The regions of a page that are suspected of having been edited. */
function editsOf(signs: unknown): Mark[] {
  if (!isObject(signs) || !Array.isArray(signs.edits)) return [];
  const boxes = signs.edits.map((edit) => (isObject(edit) && edit.suspect === true ? boxOf(edit.box) : null));
  return boxes.filter((box) => box !== null).map((box) => ({ kind: "edited", box, label: "edited" }));
}

/** The print for which a page was said to be cut off. */
function cutsOf(quality: unknown): Mark[] {
  if (!isObject(quality) || !Array.isArray(quality.reasons) || !quality.reasons.includes("capture.cut_off")) return [];
  return boxesOf(quality.cut_boxes).map((box) => ({ kind: "cut", box, label: "cut" }));
}

/** Facts that the page likely prints, though not surely enough to be claimed. */
function likelyOf(claims: unknown): Mark[] {
  if (!Array.isArray(claims)) return [];
  return claims.flatMap((claim) => {
    const box = isObject(claim) ? boxOf(claim.box) : null;
    return isObject(claim) && box && typeof claim.name === "string" ? [{ kind: "likely", box, label: claim.name }] : [];
  });
}

/** Everything that was found in a capture and has a place on it. */
export function marksOf(file: SessionFile, capture: string): Mark[] {
  const marks: Mark[] = [];
  for (const artifact of file.artifacts) {
    if (artifact.capture !== capture || !artifact.present || !isObject(artifact.data)) continue;
    const { data } = artifact;
    // The face's place is in one frame; the picture shows many.
    const strip = file.captures.find(({ id }) => id === capture)?.kind === "frames";
    if (artifact.kind === "mrz") for (const box of boxesOf(data.boxes)) marks.push({ kind: "mrz", box, label: "mrz" });
    if (artifact.kind === "page")
      marks.push(...editsOf(data.signs), ...cutsOf(data.quality), ...likelyOf(data.look_at));
    if (artifact.kind === "barcode") {
      const box = boxOf(data.box);
      if (box) marks.push({ kind: "barcode", box, label: "barcode" });
    }
    if (!strip && (artifact.kind === "portrait" || artifact.kind === "selfie")) {
      const box = boxOf(data.box) ?? (isObject(data.face) ? boxOf(data.face.box) : null);
      if (box) marks.push({ kind: "face", box, label: "face" });
    }
  }
  for (const claim of file.report?.claims ?? []) {
    if (claim.capture === capture && claim.box && claim.source === "printed")
      marks.push({ kind: "printed", box: claim.box, label: claim.name });
  }
  return marks;
}

export const sources: readonly ClaimSource[] = ["claimed", "printed", "mrz", "barcode", "chip", "wallet"];

/** The order in which people look for facts; unknown ones come last. */
export const order: readonly string[] = [
  "family_name",
  "given_names",
  "date_of_birth",
  "document_number",
  "date_of_expiry",
  "date_of_issue",
  "nationality",
  "issuer",
  "sex",
  "place_of_birth",
  "personal_number",
  "address",
  "authority",
];

/** Facts in which a date is expected, and codes of states. */
export const dates: readonly string[] = ["date_of_birth", "date_of_expiry", "date_of_issue"];
export const states: readonly string[] = ["nationality", "issuer"];

/** What reviewers corrected, by fact: of each the last counts. */
export const correctedOf = (file: SessionFile): ReadonlyMap<string, string> =>
  new Map(file.reviews.flatMap(({ correction }) => (correction ? [[correction.name, correction.to]] : [])));

/** What was read of a fact: in the chip, else by a wallet, else in the machine-readable zone, else in a barcode, else in print. The server takes it from there, too. */
export const readOf = ({ cells }: FactRow): string =>
  (cells.chip ?? cells.wallet ?? cells.mrz ?? cells.barcode ?? cells.printed)?.value ?? "";

/** The version of the reader that read the document; empty where that is not known. */
export const readerOf = (file: SessionFile): string =>
  file.artifacts.find(({ kind, present }) => kind === "page" && present)?.version ?? "";

export type FactRow = { name: string; cells: Partial<Record<ClaimSource, Claim>>; disagree: ReadonlySet<ClaimSource> };

/** One row a fact, one cell a source. Which cells disagree is what the checks found, not what the letters look like. */
export function factRows(file: SessionFile): FactRow[] {
  const claims: Claim[] = [...(file.report?.claims ?? [])];
  for (const [name, value] of Object.entries(file.session.claimed)) {
    if (!claims.some((claim) => claim.name === name && claim.source === "claimed"))
      claims.push({ name, value, source: "claimed", confidence: 1 });
  }
  const reasons: Reason[] = checksOf(file).flatMap((check) => check.finding?.reasons ?? []);
  const rows = new Map<string, FactRow>();
  for (const claim of claims) {
    const row = rows.get(claim.name) ?? {
      name: claim.name,
      cells: {},
      disagree: new Set(
        reasons.filter((reason) => reason.claim === claim.name).flatMap((reason) => reason.sources ?? []),
      ),
    };
    const had = row.cells[claim.source];
    if (!had || had.confidence < claim.confidence) row.cells[claim.source] = claim;
    rows.set(claim.name, row);
  }
  for (const name of correctedOf(file).keys())
    if (!rows.has(name)) rows.set(name, { name, cells: {}, disagree: new Set() });
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...rows.values()].sort((a, b) => rank(a.name) - rank(b.name));
}

export const mrzOf = (file: SessionFile): MRZ | null => file.report?.document.mrz ?? null;

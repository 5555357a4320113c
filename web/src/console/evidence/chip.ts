import type { Artifact, SessionFile } from "../../api/wire.ts";
import { isObject } from "./file.ts";

/** A reason that was found, or something that was not checked: a code, and a sentence about what was seen. */
export type ChipReason = { code: string; says: string };

/** A certificate on the way from the signer to the anchor. */
export type ChipIssuer = {
  subject: string;
  issuer: string;
  key: string;
  sha256: string;
  not_before: string;
  not_after: string;
};

/** What was found about a chip. */
export type Chip = {
  authentic: boolean;
  not_a_copy: boolean;
  copy_proof: string;
  relayed: boolean;
  asked: boolean;
  has_key: boolean;
  revocation: string;
  refusals: ChipReason[];
  notes: ChipReason[];
  zone: string[];
  groups: { name: string; state: string }[];
  signature: string;
  digest: string;
  signed_at: string;
  path: ChipIssuer[];
  anchor: { country: string; source: string; accepted_at: string } | null;
  missing: string;
  checked_at: string;
};

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const reasonOf = (one: Record<string, unknown>): ChipReason => ({ code: text(one.code), says: text(one.says) });

export const issuerOf = (one: Record<string, unknown>): ChipIssuer => ({
  subject: text(one.subject),
  issuer: text(one.issuer),
  key: text(one.key),
  sha256: text(one.sha256),
  not_before: text(one.not_before),
  not_after: text(one.not_after),
});

/** The newest chip that was sent: what was found, and null where nobody could look at it or the reader may not see it. */
export function chipOf(file: SessionFile): { found: Chip | null; artifact: Artifact } | null {
  const artifact = file.artifacts.findLast(({ kind }) => kind === "chip");
  if (!artifact) return null;
  const { data } = artifact;
  if (!artifact.present || !isObject(data)) return { found: null, artifact };
  const { anchor } = data;
  return {
    artifact,
    found: {
      authentic: data.authentic === true,
      not_a_copy: data.not_a_copy === true,
      copy_proof: text(data.copy_proof),
      relayed: data.relayed === true,
      asked: data.asked === true,
      has_key: data.has_key === true,
      revocation: text(data.revocation),
      refusals: list(data.refusals).map(reasonOf),
      notes: list(data.notes).map(reasonOf),
      zone: Array.isArray(data.zone) ? data.zone.map(text) : [],
      groups: list(data.groups).map((one) => ({ name: text(one.name), state: text(one.state) })),
      signature: text(data.signature),
      digest: text(data.digest),
      signed_at: text(data.signed_at),
      path: list(data.path).map(issuerOf),
      anchor: isObject(anchor)
        ? { country: text(anchor.country), source: text(anchor.source), accepted_at: text(anchor.accepted_at) }
        : null,
      missing: text(data.missing),
      checked_at: text(data.checked_at),
    },
  };
}

import type { Artifact, SessionFile } from "../../api/wire.ts";
import { type ChipIssuer, type ChipReason, issuerOf, list, reasonOf, text } from "../evidence/chip.ts";
import { isObject } from "../evidence/file.ts";

/** A credential that a wallet presented. */
export type WalletCredential = {
  id: string;
  format: string;
  type: string;
  issuer: string;
  algorithm: string;
  path: ChipIssuer[];
  anchor: { scope: string; source: string; accepted_at: string } | null;
  missing: string;
  disclosed: string[];
  signed: string;
  valid_from: string;
  valid_until: string;
  presented: string;
  revocation: string;
  status_list: string;
};

/** What was found about the answer of a wallet. */
export type Wallet = {
  valid: boolean;
  holder_bound: boolean;
  revocation: string;
  refusals: ChipReason[];
  notes: ChipReason[];
  channel: string;
  verifier: string;
  same_device: boolean;
  asked: { id: string; types: string[]; claims: string[] }[];
  credentials: WalletCredential[];
  transcript: string;
  ages: { over: number; is: boolean }[];
  /** What was disclosed of credentials that no preset has, by the credential's id in the query. */
  values: { credential: string; path: string; value: string }[];
  checked_at: string;
};

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);

const credentialOf = (one: Record<string, unknown>): WalletCredential => {
  const { anchor } = one;
  return {
    id: text(one.id),
    format: text(one.format),
    type: text(one.type),
    issuer: text(one.issuer),
    algorithm: text(one.algorithm),
    path: list(one.path).map(issuerOf),
    anchor: isObject(anchor)
      ? { scope: text(anchor.country), source: text(anchor.source), accepted_at: text(anchor.accepted_at) }
      : null,
    missing: text(one.missing),
    disclosed: texts(one.disclosed),
    signed: text(one.signed),
    valid_from: text(one.valid_from),
    valid_until: text(one.valid_until),
    presented: text(one.presented),
    revocation: text(one.revocation),
    status_list: text(one.status_list),
  };
};

/** The newest answer of a wallet: what was found, and null if nobody could look at it or the reader may not see it. */
export function walletOf(file: SessionFile): { found: Wallet | null; artifact: Artifact } | null {
  const artifact = file.artifacts.findLast(({ kind }) => kind === "wallet");
  if (!artifact) return null;
  const { data } = artifact;
  if (!artifact.present || !isObject(data)) return { found: null, artifact };
  return {
    artifact,
    found: {
      valid: data.valid === true,
      holder_bound: data.holder_bound === true,
      revocation: text(data.revocation),
      refusals: list(data.refusals).map(reasonOf),
      notes: list(data.notes).map(reasonOf),
      channel: text(data.channel),
      verifier: text(data.verifier),
      same_device: data.same_device === true,
      asked: list(data.asked).map((one) => ({ id: text(one.id), types: texts(one.types), claims: texts(one.claims) })),
      credentials: list(data.credentials).map(credentialOf),
      transcript: text(data.transcript),
      ages: list(data.ages).map(({ over, is }) => ({ over: typeof over === "number" ? over : 0, is: is === true })),
      values: list(data.values).map(({ credential, path, value }) => ({
        credential: text(credential),
        path: text(path),
        value: text(value),
      })),
      checked_at: text(data.checked_at),
    },
  };
}

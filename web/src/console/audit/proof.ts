import type { CheckpointDocument, ConsistencyDocument, EntryDocument } from "../../api/wire.ts";

/**
 * Proofs of the audit log, computed in this browser: RFC 6962 hashing and the algorithms of RFC 9162 §2.1.3.2 and §2.1.4.2,
 * by WebCrypto. Nothing here asks the server.
 */

/** What was computed. A signature that this browser cannot check is null: neither good nor bad. */
export type Checked = { path: boolean; signature: boolean | null };

/** Whether this browser computes at all: pages that came over plain http have no WebCrypto. */
export const canCompute = (): boolean => globalThis.crypto?.subtle !== undefined;

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(base64: string): Bytes {
  const text = atob(base64);
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));

async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
}

const leafOf = (text: string) => sha256(Uint8Array.of(0), utf8(text));
const nodeOf = (left: Bytes, right: Bytes) => sha256(Uint8Array.of(1), left, right);
const same = (a: Bytes, b: Bytes) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const half = (n: number) => Math.floor(n / 2);
const odd = (n: number) => n % 2 === 1;

/** Returns whether an entry is at its position in the tree of the checkpoint (RFC 9162 §2.1.3.2). */
async function included(proof: EntryDocument): Promise<boolean> {
  let at = proof.position;
  let last = proof.checkpoint.size - 1;
  if (at < 0 || at > last) return false;
  let node = await leafOf(proof.leaf);
  if (!same(node, bytesOf(proof.leaf_hash))) return false;
  for (const text of proof.hashes) {
    if (last === 0) return false;
    const beside = bytesOf(text);
    if (odd(at) || at === last) {
      node = await nodeOf(beside, node);
      while (at !== 0 && !odd(at)) [at, last] = [half(at), half(last)];
    } else {
      node = await nodeOf(node, beside);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && same(node, bytesOf(proof.checkpoint.root));
}

/** Whether the newer tree is the older one with more entries behind it (RFC 9162 §2.1.4.2). */
async function grown({ older, newer, hashes }: ConsistencyDocument): Promise<boolean> {
  if (older.size < 1 || older.size > newer.size) return false;
  const oldRoot = bytesOf(older.root);
  const newRoot = bytesOf(newer.root);
  if (older.size === newer.size) return hashes.length === 0 && same(oldRoot, newRoot);
  const path = hashes.map(bytesOf);
  if (Number.isInteger(Math.log2(older.size))) path.unshift(oldRoot);
  let at = older.size - 1;
  let last = newer.size - 1;
  while (odd(at)) [at, last] = [half(at), half(last)];
  const first = path.shift();
  if (!first) return false;
  let [oldNode, newNode] = [first, first];
  for (const beside of path) {
    if (last === 0) return false;
    if (odd(at) || at === last) {
      oldNode = await nodeOf(beside, oldNode);
      newNode = await nodeOf(beside, newNode);
      while (at !== 0 && !odd(at)) [at, last] = [half(at), half(last)];
    } else {
      newNode = await nodeOf(newNode, beside);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && same(oldNode, oldRoot) && same(newNode, newRoot);
}

/** What a checkpoint's signature is over: the tree as golang.org/x/mod/sumdb/tlog writes it. */
const treeText = ({ size, root }: CheckpointDocument) => `go.sum database tree\n${size}\n${root}\n`;

/** Whether a checkpoint is signed by the key that it names; null where this browser has no Ed25519. */
export async function signed(checkpoint: CheckpointDocument): Promise<boolean | null> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", bytesOf(checkpoint.public_key), "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") return null;
    return false;
  }
  return crypto.subtle.verify("Ed25519", key, bytesOf(checkpoint.signature), utf8(treeText(checkpoint)));
}

/** Base64 that is none, or a number that is none, makes a proof that does not hold. */
const orFalse = (work: Promise<boolean>) => work.catch(() => false);

export async function checkEntry(proof: EntryDocument): Promise<Checked> {
  return { path: await orFalse(included(proof)), signature: await signed(proof.checkpoint) };
}

export async function checkGrowth(proof: ConsistencyDocument): Promise<Checked> {
  const one = proof.older.public_key === proof.newer.public_key;
  const [older, newer] = [await signed(proof.older), await signed(proof.newer)];
  const signature = older === false || newer === false || !one ? false : older === null || newer === null ? null : true;
  return { path: await orFalse(grown(proof)), signature };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A checkpoint that somebody kept; null if the text is none. */
export function readCheckpoint(text: string): CheckpointDocument | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(raw)) return null;
  const { format, size, root, signed_at, signature, public_key } = raw;
  const texts = [root, signed_at, signature, public_key].every((one) => typeof one === "string");
  if (format !== "bonafide-checkpoint-1" || typeof size !== "number" || !Number.isSafeInteger(size) || !texts)
    return null;
  return {
    format,
    size,
    root: String(root),
    signed_at: String(signed_at),
    signature: String(signature),
    public_key: String(public_key),
  };
}

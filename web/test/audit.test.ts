// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CheckpointDocument, ConsistencyDocument, EntryDocument } from "../src/api/wire.ts";
import { canCompute, checkEntry, checkGrowth, readCheckpoint, signed } from "../src/console/audit/proof.ts";

// The vectors are the golden files of the server's own tests.
const vector = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../internal/audit/testdata", `${name}.json`), "utf8");
const entry: EntryDocument = JSON.parse(vector("entry"));
const growth: ConsistencyDocument = JSON.parse(vector("consistency"));
const checkpoint: CheckpointDocument = JSON.parse(vector("checkpoint"));
const good = { path: true, signature: true };

/** The same text with another character in the middle. */
const spoilt = (base64: string) => `${base64.slice(0, 10)}${base64[10] === "A" ? "B" : "A"}${base64.slice(11)}`;

describe("proofs of the audit log", () => {
  beforeAll(() => expect(canCompute()).toBe(true));

  it("hold as the server made them", async () => {
    expect(await checkEntry(entry)).toEqual(good);
    expect(await checkGrowth(growth)).toEqual(good);
    expect(await signed(checkpoint)).toBe(true);
  });

  it.each<[string, EntryDocument]>([
    ["another entry", { ...entry, leaf: entry.leaf.replace("created", "deleted") }],
    ["another position", { ...entry, position: entry.position + 1 }],
    ["a position beyond the log", { ...entry, position: 13 }],
    ["a negative position", { ...entry, position: -1 }],
    ["a hash too few", { ...entry, hashes: entry.hashes.slice(1) }],
    ["a hash too many", { ...entry, hashes: [...entry.hashes, entry.leaf_hash] }],
    ["another hash", { ...entry, hashes: entry.hashes.map(spoilt) }],
    ["no base64", { ...entry, hashes: ["*", ...entry.hashes.slice(1)] }],
    ["another root", { ...entry, checkpoint: { ...entry.checkpoint, root: spoilt(entry.checkpoint.root) } }],
  ])("do not hold for %s", async (_, one) => expect((await checkEntry(one)).path).toBe(false));

  it.each<[string, ConsistencyDocument]>([
    ["another older root", { ...growth, older: { ...growth.older, root: spoilt(growth.older.root) } }],
    ["a log that shrank", { ...growth, older: growth.newer, newer: growth.older }],
    ["another size", { ...growth, older: { ...growth.older, size: 4 } }],
    ["no hashes", { ...growth, hashes: [] }],
    ["the same size with another root", { ...growth, older: { ...growth.older, size: 13 }, hashes: [] }],
  ])("do not hold for %s", async (_, one) => expect(await checkGrowth(one)).not.toEqual(good));

  it("are signed by nobody else", async () => {
    expect(await signed({ ...checkpoint, signature: spoilt(checkpoint.signature) })).toBe(false);
    expect(await signed({ ...checkpoint, size: 14 })).toBe(false);
    expect(await signed({ ...checkpoint, public_key: "AAAA" })).toBe(false);
  });

  it("say plainly when the browser has no Ed25519", async () => {
    const without = vi
      .spyOn(crypto.subtle, "importKey")
      .mockRejectedValue(new DOMException("no Ed25519", "NotSupportedError"));
    expect(await checkEntry(entry)).toEqual({ path: true, signature: null });
    expect(await checkGrowth(growth)).toEqual({ path: true, signature: null });
    without.mockRestore();
  });

  it("read a checkpoint that was kept, and nothing else", () => {
    expect(readCheckpoint(vector("checkpoint"))).toEqual(checkpoint);
    for (const text of [
      "",
      "hello",
      "[]",
      "null",
      "{}",
      vector("entry"),
      '{"format":"bonafide-checkpoint-1","size":1.5}',
    ])
      expect(readCheckpoint(text)).toBeNull();
  });
});

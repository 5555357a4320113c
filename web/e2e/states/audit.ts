import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry, ConsistencyDocument, EntryDocument } from "../../src/api/wire.ts";
import { webRoot } from "../support/fixtures.ts";
import { auditor } from "./auditor.ts";
import { signedIn } from "./desk.ts";
import type { Api, Shown, State } from "./state.ts";

// The audit log as an auditor sees it. Proofs are the golden files of the server's own tests, so that what the page computes holds.
const vector = (name: string) => readFileSync(join(webRoot, "../internal/audit/testdata", `${name}.json`), "utf8");
const signed_at = "2026-11-21T11:13:00Z"; // not under the signature
const entryProof: EntryDocument = JSON.parse(vector("entry"));
const proof = { ...entryProof, checkpoint: { ...entryProof.checkpoint, signed_at } };
const growth: ConsistencyDocument = JSON.parse(vector("consistency"));

const id = (prefix: string, n: number) => `${prefix}_06c1q2m3n4p5r6s7t8v9w0x${String(n).padStart(3, "0")}`;
const entry = (position: number, action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: id("aud", position),
  position,
  at: new Date(Date.UTC(2026, 10, 21, 11, position)).toISOString(),
  actor: "system",
  actor_id: "",
  actor_name: "",
  address: "",
  action,
  session: id("ses", 7),
  subject: "",
  ...more,
});
const member = {
  actor: "user",
  actor_id: id("usr", 1),
  actor_name: "Ida Lindqvist",
  address: "203.0.113.0/24",
} as const;
const items = [
  entry(12, "session.approved", member),
  entry(11, "case.closed", { ...member, subject: id("cas", 1) }),
  entry(10, "evidence.viewed", { ...member, subject: id("cap", 1) }),
  entry(9, "case.claimed", { ...member, subject: id("cas", 1) }),
  entry(8, "user.signed_in", { ...member, session: "", subject: id("usr", 1) }),
  entry(7, "session.referred"),
  entry(6, "session.created", { actor: "api_key", actor_id: id("key", 1), address: "2001:db8:1::/48" }),
  entry(5, "session.opened", {
    actor: "applicant",
    actor_id: id("ses", 6),
    session: id("ses", 6),
    address: "198.51.100.0/24",
  }),
  entry(4, "webhook.created", { ...member, session: "", subject: id("whk", 1) }),
  entry(3, "session.erased", { ...member, session: id("ses", 5), subject: `sha256:${"3fa8".repeat(16)}` }),
  entry(2, "an.action_of_a_later_version", { session: "", subject: id("key", 2) }),
];
const actions = [...new Set(items.map(({ action }) => action))].sort();

const list = "GET /v1/console/audit/entries";
const desk: Api = {
  ...signedIn,
  "GET /v1/console/me": { json: auditor },
  [list]: { json: { items, next: id("aud", 2), actions } },
  [`${list}/${id("aud", 6)}`]: { json: proof },
  "GET /v1/console/audit/checkpoint": { json: proof.checkpoint },
  "GET /v1/console/audit/consistency": { json: growth },
};
const path = "/console/settings/audit";
const newest = (name: string, more: Partial<State> = {}): State => ({
  name,
  path,
  api: desk,
  sees: "Latest checkpoint",
  ...more,
});

const prove = async ({ page }: Shown) =>
  page.getByRole("button", { name: "Proof of Session created, position 6" }).click();
const comparing =
  (text: string) =>
  async ({ page }: Shown) => {
    await page.getByRole("button", { name: "Compare with a saved checkpoint" }).click();
    await page.getByRole("textbox", { name: "Your checkpoint" }).fill(text);
    await page.getByRole("button", { name: "Compare", exact: true }).click();
  };
const kept = JSON.stringify(growth.older, null, 2);
const spoilt = { ...proof, leaf: proof.leaf.replace("created", "deleted") };

export const auditStates: State[] = [
  newest("console-audit", { sees: "Ida Lindqvist" }),
  newest("console-audit-export", {
    act: async ({ page }) => page.getByRole("button", { name: "Export" }).click(),
    sees: "With the filters set here, 10,000 rows at most",
  }),
  newest("console-audit-none", {
    path: `${path}?action=session.erased&about=${id("ses", 1)}&to=2026-11-20`,
    api: { ...desk, [list]: { json: { items: [], next: "", actions } } },
    sees: "No entries match these filters.",
  }),
  newest("console-audit-proof", { act: prove, sees: "Verified in this browser: the entry is in the log" }),
  newest("console-audit-altered", {
    api: { ...desk, [`${list}/${id("aud", 6)}`]: { json: spoilt } },
    act: prove,
    sees: "The entry does not match the log",
  }),
  newest("console-audit-consistent", { act: comparing(kept), sees: "nothing has been changed, removed or inserted" }),
  newest("console-audit-rewritten", {
    api: { ...desk, "GET /v1/console/audit/consistency": { json: { ...growth, hashes: growth.hashes.slice(1) } } },
    act: comparing(kept),
    sees: "Not consistent",
  }),
];

import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { CheckpointDocument, ConsistencyDocument, EntryDocument } from "../../api/wire.ts";
import { addDays } from "../parts/days.ts";
import type { Format } from "../parts/Export.tsx";
import { day, type SearchOf, searchSchema, text } from "../parts/search.ts";
import { type Checked, canCompute, checkEntry, checkGrowth, signed } from "./proof.ts";

const word = text(/^[\w:.-]{1,80}$/);

/** The search of the audit log. Days are whole days, by UTC, and the last one counts. */
export const auditSearch = searchSchema({ actor: word, action: word, about: word, from: day, to: day, after: word });
export type AuditSearch = SearchOf<typeof auditSearch>;

/** A proof and what this browser computed of it; null where it computes nothing. */
export type Proven<T> = { proof: T; checked: Checked | null };

/** The parameters of the server's calls: its span ends before a day. */
const asked = ({ to, ...query }: AuditSearch) => ({ ...query, ...(to ? { to: addDays(to, 1) } : {}) });

/** Asks for the entries that the filters leave as a file. */
export function exportEntries({ after: _, ...filter }: AuditSearch, format: Format) {
  return api.GET("/v1/console/exports/audit-entries", {
    params: { query: { ...asked(filter), format } },
    parseAs: "blob",
  });
}

export const auditQueries = {
  entries: (search: AuditSearch) =>
    queryOptions({
      queryKey: ["audit", search],
      queryFn: () =>
        unwrap(api.GET("/v1/console/audit/entries", { params: { query: { limit: 50, ...asked(search) } } })),
    }),
  proof: (entry: string) =>
    queryOptions({
      queryKey: ["audit-proof", entry],
      queryFn: async (): Promise<Proven<EntryDocument>> => {
        const proof = await unwrap(api.GET("/v1/console/audit/entries/{entry}", { params: { path: { entry } } }));
        return { proof, checked: canCompute() ? await checkEntry(proof) : null };
      },
      staleTime: 60_000,
    }),
  checkpoint: queryOptions({
    queryKey: ["audit-checkpoint"],
    queryFn: async () => {
      const proof = await unwrap(api.GET("/v1/console/audit/checkpoint"));
      return { proof, signature: canCompute() ? await signed(proof) : null };
    },
    staleTime: 30_000,
  }),
};

/** What came of comparing a checkpoint that was kept with the log of now. */
export type Comparison =
  | { outcome: "no_checkpoint" | "other_key" | "not_signed" | "shorter" | "never_signed" | "differs" | "unchecked" }
  | { outcome: "grown"; proof: ConsistencyDocument };

/** Asks for the proof from the kept checkpoint to the newest, and computes it here with the root that was kept. */
export async function compare(kept: CheckpointDocument | null, newest: CheckpointDocument): Promise<Comparison> {
  if (!kept) return { outcome: "no_checkpoint" };
  if (kept.public_key !== newest.public_key) return { outcome: "other_key" };
  if (!canCompute()) return { outcome: "unchecked" };
  if ((await signed(kept)) === false) return { outcome: "not_signed" };
  if (kept.size > newest.size) return { outcome: "shorter" };
  const call = await api.GET("/v1/console/audit/consistency", { params: { query: { from: kept.size } } });
  if (call.response.status === 400) return { outcome: "never_signed" };
  const answer = await unwrap(Promise.resolve(call));
  const proof = { ...answer, older: kept };
  const { path, signature } = await checkGrowth(proof);
  if (!path || signature === false) return { outcome: "differs" };
  return signature === null ? { outcome: "unchecked" } : { outcome: "grown", proof };
}

import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Mode, OfferedReasons } from "../../api/wire.ts";
import { mode, oneOf, type SearchOf, searchSchema, text } from "../parts/search.ts";
import { client } from "../queries.ts";
import { filterReaders, type Narrowing } from "../queue/filter.ts";

export const tabs = ["unclaimed", "mine", "all"] as const;
export type Tab = (typeof tabs)[number];

/** The orders of the queue that an address can say. Without one the most urgent come first. */
const orders = ["due_at", "-due_at", "reason", "-reason", "assignee", "-assignee"] as const;
export type Order = (typeof orders)[number];

/** The search of the review queue. Without a tab it shows the unclaimed cases. */
export const casesSearch = searchSchema({
  mode,
  tab: oneOf<Tab>(["mine", "all"]),
  ...filterReaders,
  sort: oneOf(orders),
  after: text(),
});
export type CasesSearch = SearchOf<typeof casesSearch>;

export const caseQueries = {
  cases: (mode: Mode, tab: Tab, { after, sort }: Pick<CasesSearch, "after" | "sort"> = {}, filter: Narrowing = {}) =>
    queryOptions({
      queryKey: ["cases", mode, tab, after ?? "", sort ?? "", filter],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/cases", {
            params: {
              query: { mode, tab, limit: 50, ...filter, ...(sort ? { sort } : {}), ...(after ? { after } : {}) },
            },
          }),
        ),
      refetchInterval: 30_000,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ["case", id],
      queryFn: () => unwrap(api.GET("/v1/console/cases/{case}", { params: { path: { case: id } } })),
    }),
  offered: () =>
    queryOptions({
      queryKey: ["decline-reasons"],
      queryFn: () => unwrap(api.GET("/v1/console/settings/decline-reasons")),
      staleTime: 60_000,
    }),
  deciders: (id: string) =>
    queryOptions({
      queryKey: ["deciders", id],
      queryFn: () => unwrap(api.GET("/v1/console/cases/{case}/deciders", { params: { path: { case: id } } })),
      staleTime: 0,
    }),
};

/** Whatever happened to a case, the lists and the case itself are read again. */
export const refresh = (id: string, session: string): void => {
  void client.invalidateQueries({ queryKey: ["case", id] });
  void client.invalidateQueries({ queryKey: ["session", session] });
  void client.invalidateQueries({ queryKey: ["cases"] });
};

export type Basis = { version: number; report_digest: string };
export type Correction = { name: string; value: string; note: string };
export type Ruling = { outcome: "approved" | "declined"; reasons: string[]; note: string };
export type Redo = { step: "document_front" | "document_back" | "selfie"; reason: string; note: string };

const at = (id: string) => ({ params: { path: { case: id } } });

export const calls = {
  claim: (id: string) => unwrap(api.POST("/v1/console/cases/{case}/claim", { ...at(id), body: {} })),
  release: (id: string) => unwrap(api.POST("/v1/console/cases/{case}/release", { ...at(id), body: {} })),
  assign: (id: string, to: string) => unwrap(api.POST("/v1/console/cases/{case}/assign", { ...at(id), body: { to } })),
  note: (id: string, note: string) => unwrap(api.POST("/v1/console/cases/{case}/note", { ...at(id), body: { note } })),
  decide: (id: string, basis: Basis, { outcome, reasons, note }: Ruling) =>
    unwrap(
      api.POST("/v1/console/cases/{case}/decide", {
        ...at(id),
        keepalive: true,
        body: { ...basis, outcome, note, ...(outcome === "declined" ? { reasons } : {}) },
      }),
    ),
  redo: (id: string, basis: Basis, { step, reason, note }: Redo) =>
    unwrap(
      api.POST("/v1/console/cases/{case}/redo", { ...at(id), keepalive: true, body: { ...basis, step, reason, note } }),
    ),
  correct: (id: string, basis: Basis, correction: Correction) =>
    unwrap(api.POST("/v1/console/cases/{case}/correct", { ...at(id), body: { ...basis, ...correction } })),
  offer: (body: OfferedReasons) => unwrap(api.POST("/v1/console/settings/decline-reasons", { body })),
  next: (mode: Mode, skip?: string) =>
    unwrap(api.POST("/v1/console/cases/next", { body: { mode, ...(skip ? { skip } : {}) } })),
  change: (session: string, decision: string, { outcome, reasons, note }: Ruling) =>
    unwrap(
      api.POST("/v1/console/sessions/{id}/decide", {
        params: { path: { id: session } },
        body: { decision, outcome, note, ...(outcome === "declined" ? { reasons } : {}) },
      }),
    ),
};

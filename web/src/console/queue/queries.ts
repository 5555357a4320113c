import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Mode } from "../../api/wire.ts";
import { addDays, dayOf } from "../parts/days.ts";
import { flag, mode, oneOf, type SearchOf, searchSchema } from "../parts/search.ts";
import { client } from "../queries.ts";
import { qualityTab } from "./filter.ts";

export const qualitySearch = searchSchema({ mode, tab: qualityTab });

const reviewerDays = ["7", "90"] as const;
const usualDays = 30;
/** The figures of reviewers, by what the table of them can be sorted. */
export const reviewerFigures = [
  "cases",
  "approved",
  "declined",
  "reopened",
  "median",
  "overturned",
  "disagreed",
] as const;
export const reviewersSearch = searchSchema({
  mode,
  days: (raw) => oneOf(reviewerDays)(String(raw)),
  by: oneOf(reviewerFigures),
  up: flag,
});
type ReviewersSearch = SearchOf<typeof reviewersSearch>;

export const reviewQueries = {
  assignment: (mode: Mode) =>
    queryOptions({
      queryKey: ["cases", "assignment", mode],
      queryFn: () => unwrap(api.GET("/v1/console/cases/assignment", { params: { query: { mode } } })),
    }),
  facets: (mode: Mode) =>
    queryOptions({
      queryKey: ["session-facets", mode],
      queryFn: () => unwrap(api.GET("/v1/console/sessions/facets", { params: { query: { mode } } })),
    }),
  quality: (mode: Mode, done: boolean) =>
    queryOptions({
      queryKey: ["quality", mode, done],
      queryFn: () => unwrap(api.GET("/v1/console/quality", { params: { query: { mode, done, limit: 100 } } })),
    }),
  reviewers: ({ mode = "test", days }: ReviewersSearch, now = Date.now()) => {
    const today = dayOf(now);
    const query = { mode, from: addDays(today, 1 - Number(days ?? usualDays)), to: addDays(today, 1) };
    return queryOptions({
      queryKey: ["reviewers", query],
      queryFn: () => unwrap(api.GET("/v1/console/analytics/reviewers", { params: { query } })),
      staleTime: 30_000,
    });
  },
};

/** Whoever has a case, and whoever is away, may have changed. */
const refreshed = () => void client.invalidateQueries({ queryKey: ["cases"] });

export const reviewCalls = {
  assign: async (mode: Mode, enabled: boolean, most: number) => {
    const set = await unwrap(api.PUT("/v1/console/cases/assignment", { body: { mode, enabled, most } }));
    refreshed();
    return set;
  },
  away: async (away: boolean) => {
    const set = await unwrap(api.PUT("/v1/console/cases/presence", { body: { away } }));
    refreshed();
    return set;
  },
  settle: async (id: string, verdict: "agree" | "disagree", reasons: string[], note: string) => {
    const settled = await unwrap(
      api.POST("/v1/console/quality/{id}", { params: { path: { id } }, body: { verdict, reasons, note } }),
    );
    void client.invalidateQueries({ queryKey: ["quality"] });
    return settled;
  },
};

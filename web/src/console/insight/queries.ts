import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { addDays, dayOf } from "../parts/days.ts";
import type { Format } from "../parts/Export.tsx";
import { country, day, mode, type SearchOf, searchSchema, text } from "../parts/search.ts";

export const spans = [7, 30, 90] as const;
const usual = 30;

const readSearch = searchSchema({
  mode,
  days: (raw) => spans.find((days) => days === Number(raw) && days !== usual),
  from: day,
  to: day,
  workflow: text(),
  country,
});
export type FiguresSearch = SearchOf<typeof readSearch>;

/** The search of the figures. `to` is the last day that counts. A first day leaves no room for a number of days. */
export const figuresSearch = (raw: Readonly<Record<string, unknown>>): FiguresSearch =>
  readSearch(day(raw.from) ? { ...raw, days: undefined } : raw);

/** Returns the first and the last day that are counted. */
export function spanOf({ days, from, to }: FiguresSearch, now = Date.now()): { from: string; to: string } {
  const last = to ?? dayOf(now);
  return { from: from ?? addDays(last, 1 - (days ?? usual)), to: last };
}

/** The parameters of the server's figures: its span ends before a day. */
function counted(search: FiguresSearch) {
  const { from, to } = spanOf(search);
  return {
    mode: search.mode ?? ("test" as const),
    from,
    to: addDays(to, 1),
    ...(search.workflow ? { workflow: search.workflow } : {}),
    ...(search.country ? { country: search.country } : {}),
  };
}

/** Asks for the figures of a span as a file. */
export function exportFigures(search: FiguresSearch, format: Format) {
  return api.GET("/v1/console/exports/figures", {
    params: { query: { ...counted(search), format } },
    parseAs: "blob",
  });
}

export const insightQueries = {
  stages: (search: FiguresSearch) => {
    const query = counted(search);
    return queryOptions({
      queryKey: ["stages", query],
      queryFn: () => unwrap(api.GET("/v1/console/analytics/stages", { params: { query } })),
      staleTime: 30_000,
    });
  },
  figures: (search: FiguresSearch) => {
    const query = counted(search);
    return queryOptions({
      queryKey: ["figures", query],
      queryFn: () => unwrap(api.GET("/v1/console/analytics", { params: { query } })),
      staleTime: 30_000,
    });
  },
  system: queryOptions({
    queryKey: ["system"],
    queryFn: () => unwrap(api.GET("/v1/console/settings/system")),
    refetchInterval: 15_000,
  }),
};

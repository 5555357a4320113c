import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Mode } from "../../api/wire.ts";
import { flag, mode, type SearchOf, searchSchema, text } from "../parts/search.ts";

/** The search of the log of calls. */
export const logsSearch = searchSchema({ mode, key: text(), failed: flag, after: text() });
export type LogsSearch = SearchOf<typeof logsSearch>;

export const developerQueries = {
  keys: (mode: Mode) =>
    queryOptions({
      queryKey: ["keys", mode],
      queryFn: () => unwrap(api.GET("/v1/console/keys", { params: { query: { mode } } })),
    }),
  endpoints: (mode: Mode) =>
    queryOptions({
      queryKey: ["endpoints", mode],
      queryFn: () => unwrap(api.GET("/v1/console/webhook-endpoints", { params: { query: { mode } } })),
      refetchInterval: 10_000,
    }),
  endpoint: (id: string) =>
    queryOptions({
      queryKey: ["endpoint", id],
      queryFn: () => unwrap(api.GET("/v1/console/webhook-endpoints/{id}", { params: { path: { id } } })),
      refetchInterval: 10_000,
    }),
  deliveries: (id: string, after: string) =>
    queryOptions({
      queryKey: ["deliveries", id, after],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/webhook-endpoints/{id}/deliveries", {
            params: { path: { id }, query: { limit: 25, ...(after ? { after } : {}) } },
          }),
        ),
      refetchInterval: 3_000,
    }),
  personas: queryOptions({
    queryKey: ["personas"],
    queryFn: () => unwrap(api.GET("/v1/personas")),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  calls: (mode: Mode, { key, failed, after }: LogsSearch) =>
    queryOptions({
      queryKey: ["calls", mode, key, failed, after],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/request-log", {
            params: {
              query: { mode, ...(key ? { key } : {}), ...(failed ? { failed } : {}), ...(after ? { after } : {}) },
            },
          }),
        ),
      refetchInterval: 10_000,
    }),
  events: (mode: Mode, after: string) =>
    queryOptions({
      queryKey: ["event-log", mode, after],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/event-log", { params: { query: { mode, limit: 50, ...(after ? { after } : {}) } } }),
        ),
      refetchInterval: 5_000,
    }),
};

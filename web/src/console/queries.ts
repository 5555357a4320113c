import { QueryClient, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../api/client.ts";
import { isTransient } from "../api/failure.ts";
import type { ProblemRow } from "../api/wire.ts";
import { queryOf, type SessionsSearch } from "./sessions/filter.ts";

export const client = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => isTransient(error) && count < 3, staleTime: 5_000 } },
});

const pageSize = 50;

export const queries = {
  setup: queryOptions({ queryKey: ["setup"], queryFn: () => unwrap(api.GET("/v1/console/setup")) }),
  me: queryOptions({ queryKey: ["me"], queryFn: () => unwrap(api.GET("/v1/console/me")), staleTime: 60_000 }),
  security: queryOptions({
    queryKey: ["security"],
    queryFn: () => unwrap(api.GET("/v1/console/settings/security")),
  }),
  team: queryOptions({ queryKey: ["team"], queryFn: () => unwrap(api.GET("/v1/console/team")) }),
  catalogue: queryOptions({
    queryKey: ["catalogue"],
    queryFn: async (): Promise<ReadonlyMap<string, ProblemRow>> => {
      const { items } = await unwrap(api.GET("/v1/catalogue"));
      return new Map(items.map((row) => [row.code, row]));
    },
    staleTime: Number.POSITIVE_INFINITY,
  }),
  sessions: ({ mode = "test", ...search }: SessionsSearch) =>
    queryOptions({
      queryKey: ["sessions", mode, search],
      queryFn: () =>
        unwrap(api.GET("/v1/console/sessions", { params: { query: { mode, limit: pageSize, ...queryOf(search) } } })),
      refetchInterval: 10_000,
    }),
  session: (id: string) =>
    queryOptions({
      queryKey: ["session", id],
      queryFn: () => unwrap(api.GET("/v1/console/sessions/{id}", { params: { path: { id } } })),
    }),
};

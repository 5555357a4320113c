import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Mode, NewBlockEntry } from "../../api/wire.ts";
import { mode, searchSchema, text } from "../parts/search.ts";
import { client } from "../queries.ts";

export const duplicatesSearch = searchSchema({ mode });
export const blockSearch = searchSchema({ mode, after: text() });

export const seenQueries = {
  ofSession: (id: string) =>
    queryOptions({
      queryKey: ["session", id, "seen"],
      queryFn: () => unwrap(api.GET("/v1/console/sessions/{id}/seen", { params: { path: { id } } })),
    }),
  duplicates: (mode: Mode) =>
    queryOptions({
      queryKey: ["duplicates", mode],
      queryFn: () => unwrap(api.GET("/v1/console/duplicates", { params: { query: { mode } } })),
      refetchInterval: 60_000,
    }),
  blocked: (mode: Mode, after?: string) =>
    queryOptions({
      queryKey: ["blocklist", mode, after ?? ""],
      queryFn: () =>
        unwrap(api.GET("/v1/console/blocklist", { params: { query: { mode, ...(after ? { after } : {}) } } })),
      placeholderData: keepPreviousData,
    }),
  networks: queryOptions({
    queryKey: ["velocity"],
    queryFn: () => unwrap(api.GET("/v1/console/velocity")),
  }),
};

const refreshBlocked = (): void => {
  void client.invalidateQueries({ queryKey: ["blocklist"] });
};

const ofEntry = (entry: string) => ({ params: { path: { entry } }, body: {} });

export const seenCalls = {
  block: async (body: NewBlockEntry) => {
    const made = await unwrap(api.POST("/v1/console/blocklist", { body }));
    refreshBlocked();
    return made;
  },
  confirm: async (entry: string) => {
    await unwrap(api.POST("/v1/console/blocklist/{entry}/confirm", ofEntry(entry)));
    refreshBlocked();
  },
  remove: async (entry: string) => {
    await unwrap(api.POST("/v1/console/blocklist/{entry}/remove", ofEntry(entry)));
    refreshBlocked();
  },
  allow: async (ranges: string[]) => {
    const set = await unwrap(api.PUT("/v1/console/velocity", { body: { ranges } }));
    void client.invalidateQueries({ queryKey: ["velocity"] });
    return set;
  },
};

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { LinkDecided, LinkDecision, Mode, NewBlockEntry, SeenSign } from "../../api/wire.ts";
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

/** Two sessions about which a reviewer decides whether they are of the same person. */
export type Pair = { session: string; other: string; signs: readonly SeenSign[]; decided: LinkDecided };

type Said = { decision: LinkDecision["decision"]; reason: string; note: string };

const refreshBlocked = (): void => {
  void client.invalidateQueries({ queryKey: ["blocklist"] });
};

/** Whatever was said of two sessions, both of them and the groups are read again, also where somebody else was faster. */
const refreshPair = (...ids: string[]): void => {
  void client.invalidateQueries({ queryKey: ["duplicates"] });
  for (const id of ids) void client.invalidateQueries({ queryKey: ["session", id] });
};

const ofEntry = (entry: string) => ({ params: { path: { entry } }, body: {} });

export const seenCalls = {
  decide: async (pair: Pair, { decision, reason, note }: Said) => {
    try {
      return await unwrap(
        api.POST("/v1/console/sessions/{id}/seen/{other}/decision", {
          params: { path: { id: pair.session, other: pair.other } },
          keepalive: true,
          body: {
            version: pair.decided.version,
            signs: [...pair.signs],
            decision,
            ...(reason ? { reason } : {}),
            ...(note ? { note } : {}),
          },
        }),
      );
    } finally {
      refreshPair(pair.session, pair.other);
    }
  },
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

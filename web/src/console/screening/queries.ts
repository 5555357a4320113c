import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { Hit, HitState, Mode, NewWatchlist, WatchlistSearch, WatchlistSettings } from "../../api/wire.ts";
import { mode, oneOf, searchSchema, text } from "../parts/search.ts";
import { client } from "../queries.ts";

/** What the queue of hits shows: what somebody has to decide, or what was decided. */
export const hitTabs = ["open", "not_the_person", "is_the_person"] as const;
export type HitTab = (typeof hitTabs)[number];

const statesOf: Record<HitTab, HitState[]> = {
  open: ["open", "unsure", "awaits_second"],
  not_the_person: ["not_the_person"],
  is_the_person: ["is_the_person"],
};

/** The search of the queue of hits. Without a tab it shows what is open. */
export const hitsSearch = searchSchema({
  mode,
  tab: oneOf<HitTab>(["not_the_person", "is_the_person"]),
  after: text(),
});

export const screeningQueries = {
  lists: queryOptions({
    queryKey: ["watchlists"],
    queryFn: () => unwrap(api.GET("/v1/console/watchlists")),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ versions }) => versions.some((one) => one.state === "importing")) ? 2_000 : 30_000,
  }),
  difference: (version: string) =>
    queryOptions({
      queryKey: ["watchlists", "difference", version],
      queryFn: () =>
        unwrap(api.GET("/v1/console/watchlist-versions/{version}/difference", { params: { path: { version } } })),
    }),
  hits: (mode: Mode, tab: HitTab, after?: string) =>
    queryOptions({
      queryKey: ["hits", mode, tab, after ?? ""],
      queryFn: () =>
        unwrap(
          api.GET("/v1/console/screening-hits", {
            params: { query: { mode, hit_state: statesOf[tab], ...(after ? { after } : {}) } },
          }),
        ),
      placeholderData: keepPreviousData,
      refetchInterval: 30_000,
    }),
  ofSession: (id: string) =>
    queryOptions({
      queryKey: ["hits", "session", id],
      queryFn: () => unwrap(api.GET("/v1/console/sessions/{id}/screening", { params: { path: { id } } })),
    }),
  monitoring: queryOptions({
    queryKey: ["monitoring"],
    queryFn: () => unwrap(api.GET("/v1/console/screening")),
    refetchInterval: ({ state }) => (state.data?.runs.some((one) => one.state === "running") ? 2_000 : 30_000),
  }),
};

/** Whatever happened to a hit, the queue, the session and its case are read again. */
export const refreshHits = (session: string): void => {
  void client.invalidateQueries({ queryKey: ["hits"] });
  void client.invalidateQueries({ queryKey: ["session", session] });
};

const refreshLists = (): void => {
  void client.invalidateQueries({ queryKey: ["watchlists"] });
};

export type Decision = {
  decision: "not_the_person" | "is_the_person" | "unsure";
  reason: string;
  note: string;
  valid_until: string;
};

const ofVersion = (version: string) => ({ params: { path: { version } }, body: {} });

export const calls = {
  decide: (hit: Hit, { decision, reason, note, valid_until }: Decision) =>
    unwrap(
      api.POST("/v1/console/screening-hits/{hit}/decision", {
        params: { path: { hit: hit.id } },
        keepalive: true,
        body: {
          version: hit.version,
          decision,
          ...(reason ? { reason } : {}),
          ...(note ? { note } : {}),
          ...(valid_until ? { valid_until } : {}),
        },
      }),
    ),
  create: async (list: NewWatchlist) => {
    const made = await unwrap(api.POST("/v1/console/watchlists", { body: list }));
    refreshLists();
    return made;
  },
  change: async (list: string, body: WatchlistSettings) => {
    const made = await unwrap(api.POST("/v1/console/watchlists/{list}/settings", { params: { path: { list } }, body }));
    refreshLists();
    return made;
  },
  fetch: async (list: string) => {
    await unwrap(api.POST("/v1/console/watchlists/{list}/fetch", { params: { path: { list } }, body: {} }));
    refreshLists();
  },
  /** The file is streamed as it is. */
  upload: async (list: string, file: File) => {
    try {
      return await unwrap(
        api.POST("/v1/console/watchlists/{list}/versions", {
          params: { path: { list } },
          body: "",
          bodySerializer: () => file,
          headers: { "Content-Type": "application/octet-stream" },
        }),
      );
    } finally {
      refreshLists();
    }
  },
  activate: async (version: string) => {
    await unwrap(api.POST("/v1/console/watchlist-versions/{version}/activate", ofVersion(version)));
    refreshLists();
  },
  dismiss: async (version: string) => {
    await unwrap(api.POST("/v1/console/watchlist-versions/{version}/dismiss", ofVersion(version)));
    refreshLists();
  },
  everybody: async () => {
    await unwrap(api.POST("/v1/console/screening/runs", { body: {} }));
    void client.invalidateQueries({ queryKey: ["monitoring"] });
  },
  search: (body: WatchlistSearch) => unwrap(api.POST("/v1/console/screening/search", { body })),
};

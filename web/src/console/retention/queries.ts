import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { RetentionSetting } from "../../api/wire.ts";

export const retentionQueries = {
  retention: queryOptions({
    queryKey: ["retention"],
    queryFn: () => unwrap(api.GET("/v1/console/settings/retention")),
    refetchInterval: ({ state }) => (state.data?.last_run === null ? 3_000 : 30_000),
  }),
  preview: (query: RetentionSetting) =>
    queryOptions({
      queryKey: ["retention", "preview", query],
      queryFn: () => unwrap(api.GET("/v1/console/settings/retention/preview", { params: { query } })),
    }),
  holds: (after: string) =>
    queryOptions({
      queryKey: ["retention", "holds", after],
      queryFn: () =>
        unwrap(api.GET("/v1/console/settings/retention/holds", { params: { query: after ? { after } : {} } })),
      placeholderData: keepPreviousData,
    }),
};

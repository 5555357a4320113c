import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { failureOf } from "../../api/failure.ts";
import type { Mode, SavedView } from "../../api/wire.ts";
import { keptOf, type Narrowing } from "./filter.ts";

export const listQueries = {
  facets: (mode: Mode) =>
    queryOptions({
      queryKey: ["facets", mode],
      queryFn: () => unwrap(api.GET("/v1/console/sessions/facets", { params: { query: { mode } } })),
      staleTime: 60_000,
    }),
  views: (mode: Mode) =>
    queryOptions({
      queryKey: ["views", mode],
      queryFn: () => unwrap(api.GET("/v1/console/views", { params: { query: { mode } } })),
      staleTime: 60_000,
    }),
};

/** A search for a person. It is posted, so that no address and no log has it. */
export type Sought = { name: string; document_number: string };

export const calls = {
  search: (mode: Mode, { name, document_number }: Sought, after?: string) =>
    unwrap(
      api.POST("/v1/console/sessions/search", {
        body: {
          mode,
          limit: 50,
          ...(name ? { name } : {}),
          ...(document_number ? { document_number } : {}),
          ...(after ? { after } : {}),
        },
      }),
    ),
  saveView: (mode: Mode, name: string, filter: Narrowing) =>
    unwrap(api.POST("/v1/console/views", { body: { mode, name, filter: keptOf(filter) } })),
  deleteView: async (view: SavedView) => {
    const { response, error } = await api.DELETE("/v1/console/views/{view}", { params: { path: { view: view.id } } });
    if (!response.ok) throw failureOf(response.status, error);
  },
};

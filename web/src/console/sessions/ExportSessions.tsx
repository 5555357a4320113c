import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { Mode } from "../../api/wire.ts";
import { Export } from "../parts/Export.tsx";
import { queries } from "../queries.ts";
import { t } from "../words.ts";
import { queryOf, type SessionsSearch } from "./filter.ts";

/** Exports the sessions that the filters leave, in the order of the list. They are counted once somebody opens the menu. */
export function ExportSessions({ mode, search, found }: { mode: Mode; search: SessionsSearch; found: boolean }) {
  const { data: me } = useSuspenseQuery(queries.me);
  const [opened, setOpened] = useState(false);
  const { after: _, mode: __, ...filter } = search;
  const query = { mode, ...queryOf(filter) };
  const masked = me.masked.includes("sessions.read");
  const { data: rows } = useQuery({
    queryKey: ["sessions-rows", query],
    queryFn: async () => {
      const { total } = await unwrap(
        api.GET("/v1/console/sessions", { params: { query: { ...query, total: true, limit: 1 } } }),
      );
      return total ?? null;
    },
    enabled: opened && !masked && !found,
  });
  return (
    <Export
      name="sessions"
      rows={rows ?? "limit"}
      why={masked ? t("export.why.masked") : found ? t("export.why.person") : null}
      onOpen={() => setOpened(true)}
      get={(format) =>
        api.GET("/v1/console/exports/sessions", { params: { query: { ...query, format } }, parseAs: "blob" })
      }
    />
  );
}

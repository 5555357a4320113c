import { queryOptions } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { Mode } from "../../api/wire.ts";

/** What figures are asked for; it stands in the address. Days are YYYY-MM-DD, `to` is the last one. */
export type FiguresSearch = {
  mode?: Mode;
  days?: number;
  from?: string;
  to?: string;
  workflow?: string;
  country?: string;
};

export const spans = [7, 30, 90] as const;
const usual = 30;
const dayLength = 86_400_000;

const day = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 100) : undefined);

export function figuresSearch(raw: Record<string, unknown>): FiguresSearch {
  const days = spans.find((n) => n === Number(raw.days));
  const from = day(raw.from);
  const to = day(raw.to);
  const workflow = text(raw.workflow);
  const country = text(raw.country);
  return {
    ...(raw.mode === "live" ? { mode: "live" as const } : {}),
    ...(days && days !== usual && !from ? { days } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(workflow ? { workflow } : {}),
    ...(country && /^[A-Z]{1,3}$/.test(country) ? { country } : {}),
  };
}

const plain = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The first and the last day of a span. */
export function spanOf({ days, from, to }: FiguresSearch, now = Date.now()): { from: string; to: string } {
  const last = to ?? plain(now);
  return { from: from ?? plain(Date.parse(last) - ((days ?? usual) - 1) * dayLength), to: last };
}

export const insightQueries = {
  figures: (search: FiguresSearch) => {
    const { from, to } = spanOf(search);
    const query = {
      mode: search.mode ?? ("test" as const),
      from,
      to: plain(Date.parse(to) + dayLength),
      ...(search.workflow ? { workflow: search.workflow } : {}),
      ...(search.country ? { country: search.country } : {}),
    };
    return queryOptions({
      queryKey: ["figures", query],
      queryFn: () => answered(api.GET("/v1/console/analytics", { params: { query } })),
      staleTime: 30_000,
    });
  },
  system: queryOptions({
    queryKey: ["system"],
    queryFn: () => answered(api.GET("/v1/console/settings/system")),
    refetchInterval: 15_000,
  }),
};

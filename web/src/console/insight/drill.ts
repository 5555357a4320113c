import { addDays } from "../parts/days.ts";
import { flag, oneOf, type SearchOf, searchSchema, text } from "../parts/search.ts";
import { documentKinds } from "../sessions/choices.ts";
import { type FiguresSearch, spanOf } from "./queries.ts";

const verdicts = ["approved", "declined", "decided", "in_review", "other"] as const;

/** What one bar of the figures counts, as parameters of an address: the list that it leads to has as many sessions as the bar. */
export const barReaders = {
  verdict: oneOf(verdicts),
  automatic: flag,
  reached: oneOf(["opened", "submitted"] as const),
  version: text(/^[1-9]\d{0,5}$/),
  device: text(/^[a-z]+$/),
  face_model: text(),
  source: text(/^[a-z]+$/),
  left: text(/^[a-z_]+$/),
  unknown: oneOf(["country", "kind", "device", "face_model", "source"] as const),
};

/** Reads a bar out of an address. */
export const barOf = searchSchema(barReaders);
export type Bar = SearchOf<typeof barOf>;

export const isBar = (search: Readonly<Record<string, unknown>>): boolean => Object.keys(barOf(search)).length > 0;

/** The parameters of the server's list for a bar, which it counts as well. */
export function barQuery(search: Readonly<Record<string, unknown>>) {
  const { version, ...rest } = barOf(search);
  return isBar(search) ? { ...rest, ...(version ? { version: Number(version) } : {}), total: true } : {};
}

/** The sessions that the figures of a search count: the same span, workflow and issuing state. */
export function listOf(search: FiguresSearch, now = Date.now()) {
  const { from, to } = spanOf(search, now);
  return {
    ...(search.mode ? { mode: search.mode } : {}),
    from,
    to,
    ...(search.workflow ? { workflow: search.workflow } : {}),
    ...(search.country ? { country: search.country } : {}),
  };
}

type Kind = (typeof documentKinds)[number];

/** The search of a list that a bar leads to. */
export type Listed = ReturnType<typeof listOf> & Bar & { kind?: Kind; reason?: string };

type Group = "workflows" | "countries" | "kinds" | "devices" | "sources" | "models";

const columns = {
  countries: "country",
  kinds: "kind",
  devices: "device",
  sources: "source",
  models: "face_model",
} as const;

/** What a row of a group counts. An empty key stands for what is not known. Devices are of what was opened, the others of what was submitted. */
export function rowOf(group: Group, key: string): Bar & { workflow?: string; country?: string; kind?: Kind } {
  if (group === "workflows") {
    const [, workflow = key, version = ""] = /^(.*) (\d+)$/.exec(key) ?? [];
    return { workflow, ...(version ? { version } : {}) };
  }
  const column = columns[group];
  const reached = group === "devices" ? "opened" : "submitted";
  if (!key) return { reached, unknown: column };
  const kind = documentKinds.find((one) => one === key);
  return column === "kind" ? { reached, ...(kind ? { kind } : {}) } : { reached, [column]: key };
}

/** The days of one column of a time series, within the span of the figures. */
export function unitOf(unit: "day" | "week" | "month", key: string, span: { from: string; to: string }) {
  const first = key < span.from ? span.from : key;
  const next = unit === "day" ? addDays(key, 1) : unit === "week" ? addDays(key, 7) : nextMonth(key);
  const last = addDays(next, -1);
  if (last > span.to) return { from: first, to: span.to };
  return { from: first, to: last };
}

function nextMonth(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** The span of the same length before. */
export function spanBefore(search: FiguresSearch, now = Date.now()): FiguresSearch {
  const { from, to } = spanOf(search, now);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  const { days: _, ...rest } = search;
  return { ...rest, from: addDays(from, -days), to: addDays(from, -1) };
}

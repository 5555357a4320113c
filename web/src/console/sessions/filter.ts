import type { SavedView } from "../../api/wire.ts";
import { barQuery, barReaders, isBar } from "../insight/drill.ts";
import { addDays } from "../parts/days.ts";
import { country, day, mode, oneOf, type SearchOf, searchSchema, text } from "../parts/search.ts";
import { sessionStates } from "../states.ts";
import { documentKinds, outcomes } from "./choices.ts";

const filters = {
  state: oneOf(sessionStates),
  outcome: oneOf(outcomes),
  reason: text(/^[a-z_]+\.[a-z_]+$/),
  workflow: text(/^[a-z0-9_]+$/),
  country,
  kind: oneOf(documentKinds),
  from: day,
  to: day,
};

/** Reads the filters of the list out of an address or a saved view. None of them says who somebody is. */
export const narrowing = searchSchema(filters);
export type Narrowing = SearchOf<typeof narrowing>;

/** The orders of the list that an address can say. Without one the newest come first. */
const orders = ["created_at", "-created_at", "state", "-state", "decided_at", "-decided_at"] as const;

/** The search of the list of sessions: its filters, the bar of a figure that led there, what is searched for, and the page. */
export const sessionsSearch = searchSchema({
  mode,
  ...filters,
  ...barReaders,
  q: text(),
  sort: oneOf(orders),
  after: text(),
});
export type SessionsSearch = SearchOf<typeof sessionsSearch>;

/** Returns the parameters of the server's call that lists these sessions. */
export function queryOf({ q, sort, after, ...rest }: Omit<SessionsSearch, "mode">) {
  const { state, outcome, reason, workflow, country, kind, from, to } = rest;
  return {
    ...(state ? { state: [state] } : {}),
    ...(outcome ? { outcome } : {}),
    ...(reason ? { reason } : {}),
    ...(workflow ? { workflow } : {}),
    ...(country ? { country: [country] } : {}),
    ...(kind ? { document_kind: [kind] } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to: addDays(to, 1) } : {}), // the server's list ends before a day
    ...(q ? { q } : {}),
    ...(sort ? { sort } : {}),
    ...(after ? { after } : {}),
    ...barQuery(rest),
  };
}

const canonical = (one: Narrowing) => JSON.stringify(Object.entries(one).sort(([a], [b]) => a.localeCompare(b)));

/** Returns the filters as a saved view holds them. */
export const keptOf = ({ state, ...rest }: Narrowing) => ({ ...rest, ...(state ? { state: [state] } : {}) });

/** Whether a saved view is what the address says. */
export const isView = (view: SavedView, search: Narrowing): boolean =>
  canonical(narrowing({ ...view.filter })) === canonical(narrowing(search));

export const isNarrowed = (search: SessionsSearch): boolean =>
  search.q !== undefined || isBar(search) || Object.keys(narrowing(search)).length > 0;

import type { DecisionOutcome, DocumentKind, Mode, SavedView, SessionState } from "../../api/wire.ts";
import { sessionStates } from "../states.ts";
import { documentKinds, outcomes } from "./choices.ts";

/** What the list is narrowed by. It stands in the address, so that it can be sent; nothing in it says who somebody is. */
export type Narrowing = {
  state?: SessionState;
  outcome?: Exclude<DecisionOutcome, "reopened">;
  reason?: string;
  workflow?: string;
  country?: string;
  kind?: DocumentKind;
  from?: string;
  to?: string;
};

export type SessionsSearch = Narrowing & { mode?: Mode; q?: string; after?: string };

/** A text of an address: short, and a number is one, too. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== ""
    ? value.slice(0, 200)
    : typeof value === "number"
      ? String(value)
      : undefined;

const shaped = (value: unknown, shape: RegExp): string | undefined => {
  const said = text(value);
  return said && shape.test(said) ? said : undefined;
};

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Reads what narrows the list out of anything: an address that somebody typed, or a view that was saved long ago. */
export function narrowing(raw: Record<string, unknown>): Narrowing {
  const asked: unknown = Array.isArray(raw.state) ? raw.state[0] : raw.state;
  const state = sessionStates.find((one) => one === asked);
  const outcome = outcomes.find((one) => one === raw.outcome);
  const kind = documentKinds.find((one) => one === raw.kind);
  const reason = shaped(raw.reason, /^[a-z_]+\.[a-z_]+$/);
  const workflow = shaped(raw.workflow, /^[a-z0-9_]+$/);
  const country = shaped(raw.country, /^[A-Z]{1,3}$/);
  const from = shaped(raw.from, day);
  const to = shaped(raw.to, day);
  return {
    ...(state ? { state } : {}),
    ...(outcome ? { outcome } : {}),
    ...(reason ? { reason } : {}),
    ...(workflow ? { workflow } : {}),
    ...(country ? { country } : {}),
    ...(kind ? { kind } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

export function sessionsSearch(raw: Record<string, unknown>): SessionsSearch {
  const q = text(raw.q);
  const after = text(raw.after);
  return {
    ...(raw.mode === "live" ? { mode: "live" as const } : {}),
    ...narrowing(raw),
    ...(q ? { q } : {}),
    ...(after ? { after } : {}),
  };
}

/** The day after one, as the server's list ends before a day. */
function next(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return date;
  at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
}

/** The same as the server's words for it. */
export function queryOf({ q, after, ...rest }: Omit<SessionsSearch, "mode">) {
  const { state, outcome, reason, workflow, country, kind, from, to } = rest;
  return {
    ...(state ? { state: [state] } : {}),
    ...(outcome ? { outcome } : {}),
    ...(reason ? { reason } : {}),
    ...(workflow ? { workflow } : {}),
    ...(country ? { country: [country] } : {}),
    ...(kind ? { document_kind: [kind] } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to: next(to) } : {}),
    ...(q ? { q } : {}),
    ...(after ? { after } : {}),
  };
}

const canonical = (one: Narrowing) => JSON.stringify(Object.entries(one).sort(([a], [b]) => a.localeCompare(b)));

/** What is kept of it in a saved view. */
export const keptOf = ({ state, ...rest }: Narrowing) => ({ ...rest, ...(state ? { state: [state] } : {}) });

/** Whether a saved view is what the address says. */
export const isView = (view: SavedView, search: Narrowing): boolean =>
  canonical(narrowing({ ...view.filter })) === canonical(narrowing(search));

export const isNarrowed = (search: SessionsSearch): boolean =>
  search.q !== undefined || Object.keys(narrowing(search)).length > 0;

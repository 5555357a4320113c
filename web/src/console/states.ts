import type { Check, DecisionOutcome, Lifecycle, Outcome, SessionState } from "../api/wire.ts";
import type { ConsoleKey } from "../i18n/console.ts";
import type { Shape } from "../ui/shapes.tsx";

/** How each state looks: a row each, so that a new state breaks the build until somebody draws it. */
type Look = { shape: Shape; word: ConsoleKey };

export const sessionLooks: Record<SessionState, Look> = {
  created: { shape: "idle", word: "state.created" },
  capturing: { shape: "running", word: "state.capturing" },
  processing: { shape: "running", word: "state.processing" },
  in_review: { shape: "refer", word: "state.in_review" },
  approved: { shape: "pass", word: "state.approved" },
  declined: { shape: "fail", word: "state.declined" },
  expired: { shape: "idle", word: "state.expired" },
  cancelled: { shape: "idle", word: "state.cancelled" },
};

/** In the order of a session's life, those that wait for somebody first. */
export const sessionStates: readonly SessionState[] = [
  "in_review",
  "processing",
  "capturing",
  "created",
  "approved",
  "declined",
  "expired",
  "cancelled",
];

export const decisionLooks: Record<DecisionOutcome, Look> = {
  approved: { shape: "pass", word: "decision.approved" },
  declined: { shape: "fail", word: "decision.declined" },
  referred: { shape: "refer", word: "decision.referred" },
  reopened: { shape: "unsure", word: "decision.reopened" },
};

const outcomeLooks: Record<Outcome, Look> = {
  pass: { shape: "pass", word: "checks.pass" },
  fail: { shape: "fail", word: "checks.fail" },
  inconclusive: { shape: "unsure", word: "checks.inconclusive" },
};

const lifecycleLooks: Record<Exclude<Lifecycle, "settled">, Look> = {
  pending: { shape: "running", word: "checks.pending" },
  running: { shape: "running", word: "checks.running" },
  broken: { shape: "idle", word: "checks.broken" },
  skipped: { shape: "idle", word: "checks.skipped" },
  superseded: { shape: "idle", word: "checks.superseded" },
};

/** An outcome exists only when the check has settled; a check that did not run never looks like one that passed. */
export function checkLook(check: Check): Look {
  if (check.lifecycle !== "settled") return lifecycleLooks[check.lifecycle];
  return check.finding ? outcomeLooks[check.finding.outcome] : lifecycleLooks.broken;
}

const order: readonly ConsoleKey[] = [
  "checks.fail",
  "checks.inconclusive",
  "checks.broken",
  "checks.running",
  "checks.pending",
  "checks.pass",
  "checks.skipped",
  "checks.superseded",
];

/** Failing first, then what is undecided or was not run; passed ones after them. */
export const failingFirst = (checks: readonly Check[]): Check[] =>
  [...checks].sort((a, b) => order.indexOf(checkLook(a).word) - order.indexOf(checkLook(b).word));

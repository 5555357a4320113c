import type { PageMessage } from "../../sdk/src/messages.ts";
import type { SessionState, TaskState } from "../api/wire.ts";
import type { Shape } from "../ui/shapes.tsx";

type Row = {
  /** The prefix of its texts: title, text and, where it has one, badge. */
  texts: string;
  shape: Shape;
  badge: boolean;
  /** Whether it is the outcome of a check. */
  verdict: boolean;
  /** The message for the page that embeds this one. It never says whether the person was approved or declined. */
  message: PageMessage;
  /** The state of the task that it shows. */
  task?: TaskState;
  /** The states of a session whose link ends here, in a tab that did not open the session. */
  sessions?: readonly SessionState[];
  /** The codes of the problems with which a link ends here. */
  problems?: readonly string[];
};

/** The ways in which a flow can end. No two look alike. */
export const endings = {
  approved: {
    texts: "approved",
    shape: "pass",
    badge: true,
    verdict: true,
    message: { type: "result", state: "decided" },
    task: "approved",
  },
  review: {
    texts: "review_result",
    shape: "refer",
    badge: true,
    verdict: true,
    message: { type: "result", state: "in_review" },
    task: "review",
    sessions: ["in_review"],
  },
  exhausted: {
    texts: "exhausted",
    shape: "refer",
    badge: true,
    verdict: true,
    message: { type: "result", state: "in_review" },
  },
  declined: {
    texts: "declined",
    shape: "fail",
    badge: true,
    verdict: true,
    message: { type: "result", state: "decided" },
    task: "declined",
  },
  expired: {
    texts: "expired",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "result", state: "expired" },
    task: "expired",
    sessions: ["expired"],
    problems: ["session.expired"],
  },
  cancelled: {
    texts: "cancelled",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "result", state: "cancelled" },
    task: "cancelled",
    sessions: ["cancelled"],
  },
  declinedConsent: {
    texts: "declined_consent",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "result", state: "cancelled" },
  },
  finished: {
    texts: "finished",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "session.finished" },
    sessions: ["approved", "declined"],
    problems: ["session.finished", "session.conflict", "session.erased"],
  },
  elsewhere: {
    texts: "elsewhere",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "session.bound_elsewhere" },
    sessions: ["capturing", "processing"],
    problems: ["session.bound_elsewhere"],
  },
  handedBack: {
    texts: "handed_back",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "session.bound_elsewhere" },
  },
  handoffUsed: {
    texts: "handoff_used",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "handoff.used" },
    problems: ["handoff.used"],
  },
  handoffExpired: {
    texts: "handoff_over",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "handoff.expired" },
    problems: ["handoff.expired"],
  },
  unknown: {
    texts: "notfound",
    shape: "idle",
    badge: true,
    verdict: false,
    message: { type: "problem", code: "not_found" },
    problems: ["not_found", "auth.invalid", "request.malformed"],
  },
  failed: {
    texts: "failed",
    shape: "unsure",
    badge: false,
    verdict: false,
    message: { type: "problem", code: "unavailable" },
  },
} as const satisfies Record<string, Row>;

export type Ending = keyof typeof endings;

const isEnding = (name: string): name is Ending => Object.hasOwn(endings, name);
const names = Object.keys(endings).filter(isEnding);
const find = (fits: (row: Row) => boolean): Ending | undefined => names.find((name) => fits(endings[name]));

/** Returns the ending that a task's state means; undefined while the check goes on. */
export const endingOfTask = (state: TaskState) => find(({ task }) => task === state);

/** Returns the ending of a link to a session in this state that another tab opened; undefined if the link can still be opened. */
export const endingOfSession = (state: SessionState) => find(({ sessions }) => sessions?.includes(state) ?? false);

/** Returns the ending of a link that was answered with this problem; undefined for failures that may pass. */
export const endingOfProblem = (code: string) => find(({ problems }) => problems?.includes(code) ?? false);

import type { FlowEvent } from "./actors.ts";
import type { FlowContext } from "./context.ts";
import { continued, lost, misplaced, moved, problemOf } from "./refusals.ts";
import { isCapture, isVerdict, lacksChallenge, takesFrames } from "./steps.ts";

type Guard = (seen: { context: FlowContext; event: FlowEvent }) => boolean;

/** What the flow asks of the server's Task, and of what it has just been told. */
export const guards = {
  // Live updates name no challenge when none is open: reading the task opens one.
  unchallenged: ({ context }) => lacksChallenge(context.task),
  stillUnchallenged: ({ event }) => event.type === "TASK" && lacksChallenge(event.task),
  checking: ({ context }) => context.task?.state === "step" && context.task.checking !== undefined,
  stillChecking: ({ event }) =>
    event.type === "TASK" && event.task.state === "step" && event.task.checking !== undefined,
  asked: ({ context }) => context.task?.state === "step" && context.task.problem?.asks === true,
  wait: ({ context }) => context.task?.state === "wait",
  review: ({ context }) => context.task?.state === "review",
  approved: ({ context }) => context.task?.state === "approved",
  declined: ({ context }) => context.task?.state === "declined",
  expired: ({ context }) => context.task?.state === "expired",
  declinedConsent: ({ context }) =>
    context.task?.state === "cancelled" && context.task.problem?.code === "consent.declined",
  cancelled: ({ context }) => context.task?.state === "cancelled",
  consent: ({ context }) => context.task?.step === "consent",
  // A wallet comes before photos of a document, until one of the two is there or the person goes on with photos.
  offersWallet: ({ context: { task, photos } }) =>
    task?.state === "step" &&
    task.wallet !== "off" &&
    task.wallet_counts === "" &&
    !photos &&
    task.step !== "consent" &&
    task.back !== "document" &&
    task.problem === null,
  // An app reads the chip, once the page was photographed, whose zone opens it; a required one before the last step.
  offersChip: ({ context: { task, chipless } }) =>
    task?.state === "step" &&
    task.chip === "required" &&
    !task.chip_sent &&
    !chipless &&
    isCapture(task.step) &&
    task.position === task.total &&
    task.problem === null,
  choose: ({ context }) => context.task?.step === "choose",
  knowsCountry: ({ context }) => context.task?.asks_country !== true || context.issuer !== null,
  knowsCountries: ({ context }) => context.issuers !== null,
  acceptsOneKind: ({ context }) => context.task?.accepts.length === 1,
  // Before the first picture of a document, and after the consent page.
  startsOnPhone: ({ context: { begins, task } }) =>
    begins && task?.state === "step" && (task.back === "consent" || task.back === "choose"),
  sentDocument: ({ context }) => context.task?.back === "document",
  toChoice: ({ context }) => context.task?.back === "choose",
  toConsent: ({ context }) => context.task?.back === "consent",
  exhausted: ({ context }) => isCapture(context.task?.step ?? "") && context.task?.attempts_left === 0,
  capture: ({ context }) => isCapture(context.task?.step ?? ""),
  isLost: ({ event }) => lost.has(problemOf(event)?.code ?? ""),
  isContinued: ({ event }) => problemOf(event)?.code === continued,
  hasMoved: ({ event }) => problemOf(event)?.code === moved,
  isExpired: ({ event }) => problemOf(event)?.code === "session.expired",
  isMisplaced: ({ context, event }) => context.task !== null && misplaced.has(problemOf(event)?.code ?? ""),
  isRefusal: ({ event }) => {
    const status = problemOf(event)?.status ?? 500;
    return status < 500 && status !== 429;
  },
  stillFrames: ({ context, event }) =>
    event.type === "TASK" && event.task.step === context.task?.step && takesFrames(event.task),
  stillChipless: ({ context, event }) =>
    event.type === "TASK" &&
    event.task.state === "step" &&
    event.task.step === context.task?.step &&
    !event.task.chip_sent &&
    event.task.problem === null,
  stillWaiting: ({ event }) => event.type === "TASK" && event.task.state === "wait",
  stillExhausted: ({ context, event }) =>
    event.type === "TASK" && event.task.step === context.task?.step && event.task.attempts_left === 0,
  stillMine: ({ event }) => event.type === "TASK" && event.task.state === "step",
  watchedToTheEnd: ({ event }) => event.type === "STATUS" && isVerdict(event.status.state),
  stillReviewed: ({ event }) => event.type === "TASK" && event.task.state === "review",
} satisfies Record<string, Guard>;

import { Refused } from "../../api/failure.ts";
import type { Problem } from "../../api/wire.ts";
import type { FlowEvent } from "./actors.ts";

export const problemOf = (event: FlowEvent): Problem | null =>
  event.type === "FAILED" && event.error instanceof Refused ? event.error.problem : null;

/** Answers that mean: this browser and the server are not at the same place. The Task says where the server is. */
export const misplaced = new Set([
  "capture.out_of_order",
  "session.conflict",
  "session.finished",
  "session.expired",
  "session.attempts_exhausted",
  "consent.missing",
]);
/** Answers that mean: this browser has no session, or none any more. */
export const lost = new Set(["auth.invalid", "auth.missing", "session.bound_elsewhere"]);
/** Another device has the session. If this one handed it on, it may watch. */
export const moved = "session.bound_elsewhere";

/** Back to the choice of the document once pictures of one were sent. */
export const toOther = { guard: "sentDocument", target: "#flow.other" } as const;

/** Back from a step that takes a picture, as the Task says. */
export const toStepBefore = [
  toOther,
  { guard: "toChoice", target: "#flow.choose" },
  { guard: "toConsent", target: "#flow.consent" },
] as const;

/** Another tab or browser continued the session. */
export const continued = "session.continued";

/** Where refusals lead that mean: this browser and the server are not at the same place. */
export const astray = [
  { guard: "isContinued", target: "#flow.continued" },
  { guard: "hasMoved", target: "#flow.watching" },
  { guard: "isLost", target: "#flow.elsewhere" },
  { guard: "isExpired", target: "#flow.expired" },
  { guard: "isMisplaced", target: "#flow.loading" },
] as const;

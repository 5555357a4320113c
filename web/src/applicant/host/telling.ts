import type { ActorRefFrom, SnapshotFrom } from "xstate";
import { isFocus, protocol, type Told } from "../../../sdk/src/messages.ts";
import type { flow } from "../flow/machine.ts";
import type { Ending } from "../screens/Ending.tsx";
import { measure } from "./height.ts";

/**
 * Tells the page that shows this one how far the person is: steps, codes of problems, that it is over. Nothing personal and no
 * verdict. Only a page of an origin that the session's workflow names is told: the server wrote them into this page, and what is
 * posted goes to that origin or nowhere.
 */
const named = decodeURIComponent(location.hash.slice("#host=".length));
const allowed = document.querySelector('meta[name="bonafide-embed"]')?.getAttribute("content")?.split(" ") ?? [];
const peer: Window | null = window.parent === window ? window.opener : window.parent;
const framed = window.parent !== window;
const origin = allowed.includes(named) ? named : "";

export function tell(told: Told): void {
  if (peer && origin) peer.postMessage({ bonafide: protocol, ...told }, origin);
}

const endings: Record<Ending, Told> = {
  approved: { type: "result", state: "decided" },
  declined: { type: "result", state: "decided" },
  review: { type: "result", state: "in_review" },
  exhausted: { type: "result", state: "in_review" },
  expired: { type: "result", state: "expired" },
  cancelled: { type: "result", state: "cancelled" },
  declinedConsent: { type: "result", state: "cancelled" },
  finished: { type: "problem", code: "session.finished" },
  elsewhere: { type: "problem", code: "session.bound_elsewhere" },
  handedBack: { type: "problem", code: "session.bound_elsewhere" },
  used: { type: "problem", code: "handoff.used" },
  over: { type: "problem", code: "handoff.expired" },
  unknown: { type: "problem", code: "not_found" },
  failed: { type: "problem", code: "unavailable" },
};

/** Whether it is approved or declined is not told. */
export const ended = (ending: Ending): void => tell(endings[ending]);

type Snapshot = SnapshotFrom<typeof flow>;

/** Where the flow is, as far as the page around is told; null while something is on its way. */
function placeOf(now: Snapshot): Told | null {
  const { task, status } = now.context;
  const afar = now.matches("watching") ? status?.state : null;
  if (now.matches("waiting") || afar === "wait") return { type: "submitted" };
  if (afar === "step") return { type: "step", step: "handoff" };
  const here = now.matches("consent") || now.matches("choose") || now.matches("capture");
  return here && task?.step ? { type: "step", step: task.step } : null;
}

/** What stands in the way of the step, if something does. */
function hitchOf(now: Snapshot): string {
  if (now.matches({ capture: "blocked" })) return `camera.${now.context.obstacle}`;
  return now.matches({ capture: "intro" }) ? (now.context.problem?.code ?? "") : "";
}

/** Tells what the flow asks for, and what stands in the way. The endings tell themselves. */
export function follow(actor: ActorRefFrom<typeof flow>): void {
  let place = "";
  let hitch = "";
  const look = (now: Snapshot) => {
    const at = placeOf(now);
    if (at && JSON.stringify(at) !== place) {
      place = JSON.stringify(at);
      tell(at);
    }
    const code = hitchOf(now);
    if (code && code !== hitch) tell({ type: "problem", code });
    hitch = code;
  };
  look(actor.getSnapshot());
  actor.subscribe(look);
}

if (peer && origin) {
  addEventListener("message", ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== peer || from !== origin || !isFocus(data)) return;
    document.querySelector("h1")?.focus({ preventScroll: true });
  });
  if (framed) measure((height) => tell({ type: "size", height }));
}

import type { ActorRefFrom, SnapshotFrom } from "xstate";
import { isFocus, type PageMessage, protocol } from "../../../sdk/src/messages.ts";
import { type Ending, endings } from "../endings.ts";
import type { flow } from "../flow/machine.ts";
import { measure } from "./height.ts";

/**
 * Messages to the page that embeds this one: steps, codes of problems, the end. They hold nothing personal and no verdict, and go
 * only to an origin that the session's workflow names: the server wrote these into this page.
 */
const named = decodeURIComponent(location.hash.slice("#host=".length));
const allowed = document.querySelector('meta[name="bonafide-embed"]')?.getAttribute("content")?.split(" ") ?? [];
const peer: Window | null = window.parent === window ? window.opener : window.parent;
const framed = window.parent !== window;
const origin = allowed.includes(named) ? named : "";

export function post(message: PageMessage): void {
  if (peer && origin) peer.postMessage({ bonafide: protocol, ...message }, origin);
}

export const postEnding = (ending: Ending): void => post(endings[ending].message);

type Snapshot = SnapshotFrom<typeof flow>;

/** Returns what the host page learns of where the flow is; null while a call is under way. */
function progressOf(now: Snapshot): PageMessage | null {
  const { task, status } = now.context;
  const remote = now.matches("watching") ? status?.state : null;
  if (now.matches("waiting") || remote === "wait") return { type: "submitted" };
  if (remote === "step") return { type: "step", step: "handoff" };
  const here = now.matches("consent") || now.matches("choose") || now.matches("capture");
  return here && task?.step ? { type: "step", step: task.step } : null;
}

/** Returns the code of the problem that blocks the step; "" if none does. */
function problemOf(now: Snapshot): string {
  if (now.matches({ capture: "blocked" })) return `camera.${now.context.obstacle}`;
  return now.matches({ capture: "intro" }) ? (now.context.problem?.code ?? "") : "";
}

/** Posts each change of step and each problem of the flow. Endings are posted by their screen. */
export function postProgress(actor: ActorRefFrom<typeof flow>): void {
  let lastProgress = "";
  let lastProblem = "";
  const look = (now: Snapshot) => {
    const progress = progressOf(now);
    if (progress && JSON.stringify(progress) !== lastProgress) {
      lastProgress = JSON.stringify(progress);
      post(progress);
    }
    const code = problemOf(now);
    if (code && code !== lastProblem) post({ type: "problem", code });
    lastProblem = code;
  };
  look(actor.getSnapshot());
  actor.subscribe(look);
}

if (peer && origin) {
  addEventListener("message", ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== peer || from !== origin || !isFocus(data)) return;
    document.querySelector("h1")?.focus({ preventScroll: true });
  });
  if (framed) measure((height) => post({ type: "size", height }));
}

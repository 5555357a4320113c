import { fromCallback } from "xstate";
import { isBusy, isTransient } from "../../api/failure.ts";
import { follow, waitFor } from "../../api/sse.ts";
import type {
  DocumentKind,
  DocumentReply,
  Handoff,
  HandoffStatus,
  Issuer,
  LivenessPath,
  Problem,
  Task,
} from "../../api/wire.ts";
import { calls } from "../calls.ts";
import {
  CameraError,
  closeCamera,
  type Lens,
  lensOf,
  type Obstacle,
  obstacleOf,
  openCamera,
  type Wanted,
} from "../camera.ts";
import type { Run } from "../liveness/record.ts";
import type { Picture } from "../picture.ts";
import { type Sent, sending } from "../sending/sending.ts";
import { handoffs } from "./handoffs.ts";

/** Everything that can happen in the flow: what the person does, what the camera does, what the server answers. */
export type FlowEvent =
  | { type: "CONSENT"; decision: "given" | "declined"; locale: string }
  | { type: "FACELESS"; locale: string }
  | { type: "FACE" }
  | { type: "ISSUERS"; issuers: readonly Issuer[] }
  | { type: "COUNTRY"; issuer: Issuer }
  | { type: "CHANGE" }
  | { type: "CHOOSE"; kind: DocumentKind }
  | { type: "CAMERA" }
  /** To what was before: the step's first screen, or the step before it. */
  | { type: "CLOSE" }
  | { type: "OTHER" }
  /** Goes on without a chip. */
  | { type: "WITHOUT" }
  | { type: "SWITCH" }
  | { type: "READY"; stream: MediaStream; lens: Lens }
  | { type: "AWAY" }
  | { type: "BLOCKED"; obstacle: Obstacle }
  | { type: "TAKEN"; picture: Picture }
  | { type: "RECORDED"; run: Run }
  | { type: "RENEW" }
  | { type: "WAYS" }
  | { type: "PATH"; path: LivenessPath }
  | { type: "REFUSED"; problem: Pick<Problem, "code" | "title" | "remedy"> }
  | { type: "AGAIN" }
  | { type: "USE" }
  | { type: "RETRY" }
  | { type: "REPLY"; reply: DocumentReply }
  | { type: "RETAKE" }
  | { type: "UNREAD" }
  | { type: "STOP" }
  | { type: "PROGRESS"; part: number }
  | { type: "PAUSED" }
  | { type: "HANDOFF" }
  | { type: "OFFERED"; offer: Handoff }
  | { type: "HERE" }
  | { type: "STATUS"; status: HandoffStatus }
  | { type: "BACK" }
  | { type: "WENT_BACK" }
  | { type: "TASK"; task: Task }
  | { type: "FAILED"; error: unknown };

const longestPause = 15_000;
const triesOnline = 4;
const triesBusy = 12;

/**
 * How often and how long to wait before the same call is made again: while offline, for ever. A server that only has no
 * room at the moment is given longer, as long as it says and a little more, so that not all come back at once.
 */
async function again(error: unknown, tries: number, signal: AbortSignal): Promise<boolean> {
  const most = isBusy(error) ? triesBusy : triesOnline;
  if (signal.aborted || !isTransient(error) || (tries >= most && navigator.onLine)) return false;
  const asked = isBusy(error) ? error.after * (1 + Math.random() / 2) : 0;
  await waitFor(Math.max(asked, Math.min(1000 * 2 ** tries, longestPause)), signal);
  return !signal.aborted;
}

/** Asks the server, patiently, until an answer comes or repeating cannot help. */
function patiently<T>(ask: () => Promise<T>, sendBack: (event: FlowEvent) => void, eventOf: (answer: T) => FlowEvent) {
  const stop = new AbortController();
  const run = async () => {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await ask();
        if (!stop.signal.aborted) sendBack(eventOf(answer));
        return;
      } catch (error) {
        if (await again(error, tries, stop.signal)) continue;
        if (!stop.signal.aborted) sendBack({ type: "FAILED", error });
        return;
      }
    }
  };
  void run();
  return () => stop.abort();
}

/** Asks the server something whose answer is the next Task. */
export const ask = fromCallback<FlowEvent, () => Promise<Task>>(({ sendBack, input }) =>
  patiently(input, sendBack, (task) => ({ type: "TASK", task })),
);

/** Reads which countries issue documents, where that is wanted. */
export const list = fromCallback<FlowEvent, { token: string; wanted: boolean }>(({ sendBack, input }) =>
  input.wanted
    ? patiently(
        () => calls.issuers(input.token),
        sendBack,
        (issuers) => ({ type: "ISSUERS", issuers }),
      )
    : undefined,
);

/** Makes a link for another device. */
export const offer = fromCallback<FlowEvent, { token: string }>(({ sendBack, input }) =>
  patiently(
    () => handoffs.over(input.token),
    sendBack,
    (made) => ({ type: "OFFERED", offer: made }),
  ),
);

/** Returns the session to the device that it came from. */
export const giveBack = fromCallback<FlowEvent, { token: string }>(({ sendBack, input }) =>
  patiently(
    () => handoffs.back(input.token),
    sendBack,
    () => ({ type: "WENT_BACK" }),
  ),
);

/** Sends the picture or the frames under one attempt id until an answer comes: a repeat counts as the same attempt. */
export const send = fromCallback<FlowEvent, Sent>(({ sendBack, input }) => {
  const stop = new AbortController();
  const go = sending(input);
  const run = async () => {
    for (let tries = 0; ; tries++) {
      try {
        const task = await go((part) => sendBack({ type: "PROGRESS", part }), stop.signal);
        if (!stop.signal.aborted) sendBack({ type: "TASK", task });
        return;
      } catch (error) {
        if (!stop.signal.aborted && isTransient(error)) sendBack({ type: "PAUSED" });
        if (await again(error, tries, stop.signal)) continue;
        if (!stop.signal.aborted) sendBack({ type: "FAILED", error });
        return;
      }
    }
  };
  void run();
  return () => stop.abort();
});

/** Listens for what is next, or for how far the other device is; it survives being offline. */
export const watch = fromCallback<FlowEvent, { token: string }>(({ sendBack, input }) =>
  follow("/v1/applicant/events", {
    token: input.token,
    onEvent: ({ event, data }) => {
      if (event === "task" || event === "step.checked") sendBack({ type: "TASK", task: JSON.parse(data) });
      if (event === "handoff") sendBack({ type: "STATUS", status: JSON.parse(data) });
    },
    refused: (error) => sendBack({ type: "FAILED", error }),
  }),
);

/** How often the task is asked for where a proxy holds live updates back, and how long a reading is waited for in all. */
const pollEvery = 1500;
const readingPatience = 15_000;

/** Asks for the task while a picture is read, and says when it takes too long: then the flow goes on without. */
export const poll = fromCallback<FlowEvent, { token: string }>(({ sendBack, input }) => {
  let over = false;
  const ask = () =>
    calls.task(input.token).then(
      (task) => over || sendBack({ type: "TASK", task }),
      () => undefined, // the next one, or the end of patience
    );
  const timer = setInterval(() => void ask(), pollEvery);
  const patience = setTimeout(() => sendBack({ type: "UNREAD" }), readingPatience);
  return () => {
    over = true;
    clearInterval(timer);
    clearTimeout(patience);
  };
});

/** How often, and how many times, a reading that came too late is still asked for. */
const lateEvery = 3000;
const lateTries = 20;

/** Goes on asking for a reading that was not awaited any more, and says when it leads elsewhere than the step that is on the screen. */
export const late = fromCallback<FlowEvent, { token: string; task: Task | null; unread: boolean }>(
  ({ sendBack, input: { token, task, unread } }) => {
    let left = unread ? lateTries : 0;
    const timer = setInterval(() => {
      if (left-- <= 0) return clearInterval(timer);
      calls.task(token).then(
        (now) =>
          left >= 0 && (now.step !== task?.step || now.state !== task.state) && sendBack({ type: "TASK", task: now }),
        () => undefined, // the next one
      );
    }, lateEvery);
    return () => {
      left = -1;
      clearInterval(timer);
    };
  },
);

/** How long a camera may send nothing, as during a phone call, before it counts as taken away. */
const silentFor = 4000;

/**
 * Holds the camera for as long as it is needed, and says when it is taken away. While the page is out of sight it is let
 * go, so that its light goes out and other apps can have it; it is opened again when the person comes back.
 */
export const camera = fromCallback<FlowEvent, Wanted>(({ sendBack, input }) => {
  let held: MediaStream | undefined;
  let left = false;
  const lose = () => {
    closeCamera(held);
    held = undefined;
  };
  const watchOver = (track: MediaStreamTrack, stream: MediaStream) => {
    const gone = () => {
      if (held === stream) sendBack({ type: "BLOCKED", obstacle: "busy" });
    };
    track.addEventListener("ended", gone);
    track.addEventListener("mute", () => setTimeout(() => track.muted && gone(), silentFor));
  };
  let opening = false; // two at once, and one of them would never be let go
  const open = (wanted: Wanted) => {
    opening = true;
    return openCamera(wanted).then(
      (stream) => {
        opening = false;
        if (left || document.hidden) return closeCamera(stream);
        held = stream;
        for (const track of stream.getVideoTracks()) watchOver(track, stream);
        sendBack({ type: "READY", stream, lens: lensOf(stream, wanted.facing) });
      },
      (error: unknown) => {
        opening = false;
        if (left) return;
        sendBack({ type: "BLOCKED", obstacle: error instanceof CameraError ? error.obstacle : obstacleOf(error) });
      },
    );
  };
  let wanted = input;
  const turned = () => {
    if (document.hidden && held) {
      wanted = { ...input, device: lensOf(held, input.facing).device || input.device, next: false };
      lose();
      sendBack({ type: "AWAY" });
    } else if (!document.hidden && !held && !opening) void open(wanted);
  };
  void open(input).finally(() => !left && document.addEventListener("visibilitychange", turned));
  return () => {
    left = true;
    document.removeEventListener("visibilitychange", turned);
    lose();
  };
});

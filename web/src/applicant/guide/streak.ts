import type { Advice } from "./talk.ts";

/** How long all has to be well before a picture is taken by itself, and in how many frames at least. */
const holdFor = 650;
export const holdFrames = 4;

/** A run of frames that are all well, and the sharpest among them. */
export type Streak = { since: number; frames: number; sharpest: number };

export type Step = {
  streak: Streak | null;
  /** This frame is the sharpest of its run. */
  best: boolean;
  /** 0–1: how much of the time to hold still is over. At 1 the best frame is the picture. */
  held: number;
};

/** Goes on with a run, begins one, or ends it. `blur` is unknown where there is too little print to tell. */
export function follow(streak: Streak | null, frame: { advice: Advice; blur: number | null; at: number }): Step {
  if (frame.advice !== "hold") return { streak: null, best: false, held: 0 };
  const blur = frame.blur ?? Number.MAX_VALUE;
  const run = streak ?? { since: frame.at, frames: 0, sharpest: Number.POSITIVE_INFINITY };
  const best = blur < run.sharpest;
  const next = { since: run.since, frames: run.frames + 1, sharpest: Math.min(blur, run.sharpest) };
  const held = Math.min((frame.at - next.since) / holdFor, next.frames / holdFrames, 1);
  return { streak: next, best, held };
}

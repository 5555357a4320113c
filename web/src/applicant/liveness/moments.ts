import type { Challenge, Movement } from "../../api/wire.ts";

/** What is asked at a moment of a run: a movement, or the head straight. `n` counts the movements so far, from 1. */
export type Moment = { move: Movement | null; n: number };

/** What the challenge asks `at` milliseconds after the first frame. */
export function momentAt(challenge: Challenge, at: number): Moment {
  const begun = challenge.prompts.filter(({ at_ms }) => at >= at_ms);
  const last = begun.at(-1);
  const asked = last && at < last.at_ms + last.for_ms ? last.move : null;
  return { move: asked, n: begun.length };
}

/** How much longer than its run a challenge has to be good for: to begin, to send, and to try sending again. */
const reserve = 45_000;
const life = 180_000;

/**
 * Whether a challenge may run out before it is answered. `age` is for how long this page has known it; the clock of this
 * device may be wrong, so its word counts only when it says that less is left.
 */
export function isStale(challenge: Challenge, age: number, now = Date.now()): boolean {
  const needed = challenge.duration_ms + reserve;
  return age > life - needed || Date.parse(challenge.expires_at) - now < needed;
}

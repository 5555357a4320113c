import type { Advice } from "./talk.ts";

const settled = 350; // milliseconds that an advice must stand before it is said
const readable = 1300; // and that it stays
const unseenAfter = 3000; // milliseconds without a document or a face until it is said that none is seen
const lostAfter = 9000;

/** `unseen`: nothing has been found for a while; `lost`: for long, so that it is said how to go on. */
export type Prompt = Advice | "unseen" | "lost";

/**
 * Says one thing at a time, and each long enough to be read or heard: what is judged ten times a second would flicker.
 * `hold` is said at once. Where nothing is found for long, it says how to go on.
 */
export class Prompter {
  #said: Prompt = "search";
  #saidAt = Number.NEGATIVE_INFINITY;
  #next: Advice = "search";
  #nextAt = 0;
  #searching: number | null = null;

  hear(advice: Advice, at: number): Prompt {
    if (advice !== this.#next) [this.#next, this.#nextAt] = [advice, at];
    this.#searching = advice === "search" ? (this.#searching ?? at) : null;
    const searched = this.#searching === null ? 0 : at - this.#searching;
    const wanted: Prompt = searched > lostAfter ? "lost" : searched > unseenAfter ? "unseen" : advice;
    const due = wanted === "hold" || (at - this.#nextAt >= settled && at - this.#saidAt >= readable);
    if (wanted !== this.#said && due) [this.#said, this.#saidAt] = [wanted, at];
    return this.#said;
  }
}

import type { Challenge } from "../../api/wire.ts";

/** What the screen shows around the face before and after the colours: as bright as they are. */
const neutral = "#cbcbcb";

/**
 * Whether this screen shows the colours of a challenge. Nobody who prefers less motion, or colours of their own, is shown any; the server
 * then leaves it to a person.
 */
export function showsLight({ light }: Challenge): boolean {
  const prefers = (what: string) => globalThis.matchMedia?.(what).matches ?? false;
  return light.length > 0 && !prefers("(prefers-reduced-motion: reduce)") && !prefers("(forced-colors: active)");
}

/** The colour to show `at` milliseconds after the first frame, and how many were begun by then. */
export function lightAt({ light }: Challenge, at: number): { colour: string; begun: number } {
  const begun = light.filter(({ at_ms }) => at >= at_ms);
  const last = begun.at(-1);
  const over = !last || (begun.length === light.length && at >= last.at_ms + last.for_ms);
  return { colour: over ? neutral : last.colour, begun: begun.length };
}

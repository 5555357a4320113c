import { useEffect } from "react";
import { calls } from "./queries.ts";

/** Often enough for a claim of 20 minutes, seldom enough not to be noticed. */
const every = 3 * 60_000;

/** Renews a claim while its holder does something: a hand on the keys or the mouse is work, an open page is not. */
export function useRenewal(id: string, mine: boolean): void {
  useEffect(() => {
    if (!mine) return;
    let last = Date.now();
    const busy = () => {
      if (Date.now() - last < every) return;
      last = Date.now();
      calls.claim(id).catch(() => {}); // the next act says what is wrong
    };
    for (const kind of ["keydown", "pointerdown", "wheel"]) addEventListener(kind, busy, { passive: true });
    return () => {
      for (const kind of ["keydown", "pointerdown", "wheel"]) removeEventListener(kind, busy);
    };
  }, [id, mine]);
}

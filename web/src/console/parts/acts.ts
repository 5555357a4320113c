import { useEffect, useRef } from "react";

/** Something that can be done on the page that is open. A blocked one says why. */
export type PageAct = { name: string; why?: string | null | undefined; run: () => void };

const shown = new Set<{ readonly current: readonly PageAct[] }>();

/** Tells the palette what can be done here, as long as this is on the screen. */
export function usePageActs(acts: readonly PageAct[]): void {
  const now = useRef(acts);
  now.current = acts;
  useEffect(() => {
    shown.add(now);
    return () => void shown.delete(now);
  }, []);
}

/** What can be done on the page that is open: what a page is for before what its parts offer, which are there first. */
export const pageActs = (): readonly PageAct[] => [...shown].reverse().flatMap(({ current }) => current);

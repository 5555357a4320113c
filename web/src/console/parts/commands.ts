import { useEffect, useRef } from "react";

/** A command of the open page. A blocked one says why. */
export type PageCommand = { name: string; why?: string | null | undefined; run: () => void };

const shown = new Set<{ readonly current: readonly PageCommand[] }>();

/** Adds commands to the palette for as long as the component is rendered. */
export function usePageCommands(acts: readonly PageCommand[]): void {
  const now = useRef(acts);
  now.current = acts;
  useEffect(() => {
    shown.add(now);
    return () => void shown.delete(now);
  }, []);
}

/** Returns the commands of the open page: those of the page before those of its parts, which render first. */
export const pageCommands = (): readonly PageCommand[] => [...shown].reverse().flatMap(({ current }) => current);

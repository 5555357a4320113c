import { useSyncExternalStore } from "react";
import type { Mode } from "../../api/wire.ts";

const key = "bonafide.mode";
const told = new Set<() => void>();

const lastMode = (): Mode => (sessionStorage.getItem(key) === "live" ? "live" : "test");

const watch = (listener: () => void): (() => void) => {
  told.add(listener);
  return () => told.delete(listener);
};

/** The mode that this tab looked at last: pages that belong to neither mode keep the counts and links of that one. */
export const useLastMode = (): Mode => useSyncExternalStore(watch, lastMode);

/** Keeps which mode this tab looks at, until it is closed. */
export function keepMode(mode: Mode): void {
  if (lastMode() === mode) return;
  sessionStorage.setItem(key, mode);
  for (const listener of told) listener();
}

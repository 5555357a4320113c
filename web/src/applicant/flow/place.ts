import { useEffect } from "react";
import type { Task } from "../../api/wire.ts";

const longAway = 30_000;

/**
 * The browser's back button leads from the camera and from what was taken back to the step's first screen; from there
 * it leaves, as everywhere. `deep` says whether one of those is on the screen.
 */
export function useBackButton(deep: boolean, onBack: () => void): void {
  useEffect(() => {
    if (!deep) return;
    if (history.state !== deeper) history.pushState(deeper, "");
    addEventListener("popstate", onBack);
    return () => removeEventListener("popstate", onBack);
  }, [deep, onBack]);
}
const deeper = "deeper"; // one entry is enough, however many pictures are taken

const samePlace = (a: Task, b: Task): boolean =>
  a.state === b.state &&
  a.step === b.step &&
  a.takes === b.takes &&
  a.attempts_left === b.attempts_left &&
  a.document_kind === b.document_kind;

/**
 * After a long while out of sight, or when the browser brings a page back from its memory, the server may be elsewhere:
 * another tab went on, the time ran out. Asks it, and tells what changed. `idle` says that nothing is under way here.
 */
export function useComingBack(
  task: Task | null,
  idle: boolean,
  read: () => Promise<Task>,
  onMoved: (task: Task) => void,
): void {
  useEffect(() => {
    if (!idle || !task) return;
    let left = false;
    let since = document.hidden ? performance.now() : Number.POSITIVE_INFINITY;
    const look = () =>
      read().then(
        (now) => !left && !samePlace(task, now) && onMoved(now),
        () => undefined, // what is done next will tell
      );
    const turned = () => {
      if (document.hidden) since = performance.now();
      else if (performance.now() - since > longAway) void look();
    };
    const shown = (event: PageTransitionEvent) => event.persisted && void look();
    document.addEventListener("visibilitychange", turned);
    addEventListener("pageshow", shown);
    return () => {
      left = true;
      document.removeEventListener("visibilitychange", turned);
      removeEventListener("pageshow", shown);
    };
  }, [task, idle, read, onMoved]);
}

import { useEffect } from "react";
import type { SnapshotFrom } from "xstate";
import type { Task } from "../../api/wire.ts";
import type { flow } from "./machine.ts";

const longAway = 30_000;

/** States in which nothing more is asked of the person here. */
const endings: ReadonlySet<unknown> = new Set<SnapshotFrom<typeof flow>["value"]>([
  "review",
  "approved",
  "declined",
  "expired",
  "cancelled",
  "declinedConsent",
  "exhausted",
  "elsewhere",
  "returned",
  "watched",
  "failed",
]);

/** Whether the browser's back button stays in the flow, and whether the person is at one of its steps. */
export const placeIn = (value: SnapshotFrom<typeof flow>["value"]): { held: boolean; steps: boolean } => ({
  held: !endings.has(value),
  steps: typeof value !== "string" || value === "checking" || value === "chip",
});

const guard = "bonafide"; // the entry above the page's own, which the back button takes away
const stay = () => history.state === guard || history.pushState(guard, "");

/**
 * While `held`, the browser's back button runs `onBack` and stays on the page, unless that says "leave". Afterwards it leaves the page
 * at once, as if there had been no steps. Going forward is never possible, so that nothing is shown twice.
 */
export function useBackButton(held: boolean, onBack: () => "stay" | "leave"): void {
  useEffect(() => {
    let place = location.hash;
    if (held) stay();
    const popped = () => {
      const moved = location.hash !== place; // a link within the page
      place = location.hash;
      if (moved) return held ? history.replaceState(guard, "") : undefined;
      if (history.state === guard) return; // forward again, after leaving
      if (held && onBack() === "stay") stay();
      else history.back();
    };
    addEventListener("popstate", popped);
    return () => removeEventListener("popstate", popped);
  }, [held, onBack]);
}

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

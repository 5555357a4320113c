import { useCallback, useEffect, useRef, useState } from "react";

/** How long a decision waits before it is sent, in seconds: long enough to see a wrong key. */
export const grace = 5;

type Waiting<T> = { what: T; left: number };

/**
 * Holds back what cannot be undone once it is sent. Leaving the page sends it at once: who goes on to the next case has
 * decided this one.
 */
export function useDelay<T>(send: (what: T) => void): {
  waiting: Waiting<T> | null;
  start: (what: T) => void;
  undo: () => void;
  flush: () => void;
} {
  const [waiting, setWaiting] = useState<Waiting<T> | null>(null);
  const held = useRef<T | null>(null);
  const sender = useRef(send);
  sender.current = send;

  const flush = useCallback(() => {
    const what = held.current;
    held.current = null;
    setWaiting(null);
    if (what !== null) sender.current(what);
  }, []);
  const undo = useCallback(() => {
    held.current = null;
    setWaiting(null);
  }, []);
  const start = useCallback((what: T) => {
    held.current = what;
    setWaiting({ what, left: grace });
  }, []);

  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(
      () => (waiting.left <= 1 ? flush() : setWaiting({ ...waiting, left: waiting.left - 1 })),
      1000,
    );
    return () => clearTimeout(timer);
  }, [waiting, flush]);

  useEffect(() => {
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      const what = held.current;
      held.current = null;
      if (what !== null) sender.current(what);
    };
  }, [flush]);

  return { waiting, start, undo, flush };
}

import { isTransient, Refused } from "../api/failure.ts";
import { calls } from "./calls.ts";
import { keptKey, storage } from "./storage.ts";

/**
 * Continues a session in this tab by the key that the browser keeps; where another tab began again with another document, that session.
 * Returns which one; rejects where it is not possible.
 */
export async function resume(session: string): Promise<string> {
  const kept = storage.kept(session);
  if (!kept) throw new Error("nothing is kept of the session");
  const { session: now, token } = await calls.resume(kept.key).catch((error: unknown) => {
    if (!isTransient(error)) storage.leave(kept.link, session);
    throw error;
  });
  if (now !== session) storage.follow(session, now, token);
  storage.saveSession(kept.link, now, token, kept.about);
  try {
    localStorage.setItem(movedKey, session); // the other tabs hear it
    localStorage.removeItem(movedKey);
  } catch {
    // they hear it from the server
  }
  return now;
}

/** Begins again with another document, in a session that follows the declined one. Returns which. */
export async function beginAgain(session: string, token: string, attempt: string): Promise<string> {
  const next = await calls.anotherDocument(token, attempt);
  storage.follow(session, next.session, next.token);
  return next.session;
}

/** What a tab writes when it continues a session: other tabs of the browser are told by the storage event. */
const movedKey = `${keptKey}.moved`;

/**
 * Calls `onGone` with the server's refusal once another tab or browser has the session: at once where that is a tab of this browser,
 * and otherwise when the page is looked at again.
 */
export function watchTabs(session: string, token: string, onGone: (error: unknown) => void): () => void {
  let left = false;
  const look = () =>
    void calls.task(token).catch((error: unknown) => {
      if (!left && error instanceof Refused && error.problem.code === "session.continued") onGone(error);
    });
  const told = ({ key, newValue }: StorageEvent) => {
    if (key === movedKey && newValue === session) look();
  };
  const shown = () => document.hidden || look();
  addEventListener("storage", told);
  document.addEventListener("visibilitychange", shown);
  return () => {
    left = true;
    removeEventListener("storage", told);
    document.removeEventListener("visibilitychange", shown);
  };
}

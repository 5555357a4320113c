import { useSyncExternalStore } from "react";
import { api } from "../../api/client.ts";

// Some calls need a fresh proof of who asks. The server answers auth.step_up, a dialog asks for the proof, and the same call
// is sent again: whoever made it notices nothing but the time that it took.

let waiting: ((proved: boolean) => void)[] = [];
const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of watchers) watcher();
};

/** Asks for a proof; several calls that need one wait for the same dialog. */
function proof(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    tell();
  });
}

/** Ends the dialog: the calls that wait are sent again, or fail as they did. */
export function settle(proved: boolean): void {
  const all = waiting;
  waiting = [];
  tell();
  for (const resolve of all) resolve(proved);
}

/** Whether a proof is asked for. */
export const useProofAsked = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => waiting.length > 0,
  );

const copies = new Map<string, Request>();

/** Makes every call of the console that is answered auth.step_up wait for a proof and try again, once. */
export function repeatAfterProof(): void {
  api.use({
    onRequest({ id, request, schemaPath }) {
      if (!schemaPath.startsWith("/v1/console/me/prove")) copies.set(id, request.clone());
    },
    async onResponse({ id, response }) {
      const copy = copies.get(id);
      copies.delete(id);
      if (!copy || response.status !== 403) return undefined;
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => null);
      const needed = typeof body === "object" && body !== null && "code" in body && body.code === "auth.step_up";
      if (!needed || !(await proof())) return undefined;
      return globalThis.fetch(copy);
    },
    onError({ id }) {
      copies.delete(id);
    },
  });
}

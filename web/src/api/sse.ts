import { createParser, type EventSourceMessage } from "eventsource-parser";
import { failureOf, Refused } from "./failure.ts";

/**
 * Reads server-sent events with fetch, because EventSource cannot send a bearer token. Reconnects by itself from the
 * last event it saw: after 1, 2, 4 … 15 s or what the server asks for if that is longer, and at once when the browser
 * is online again. A refusal that a retry cannot change ends it and is passed to `refused`.
 */
export function follow(
  url: string,
  options: {
    token?: string;
    onEvent: (event: EventSourceMessage) => void;
    refused: (error: Refused) => void;
    alive?: (connected: boolean) => void;
  },
): () => void {
  const stop = new AbortController();
  let last = "";
  let soonest = 0;
  const connect = async (): Promise<void> => {
    const headers = new Headers({ Accept: "text/event-stream" });
    if (options.token) headers.set("Authorization", `Bearer ${options.token}`);
    if (last) headers.set("Last-Event-ID", last);
    const answer = await fetch(url, { headers, signal: stop.signal, cache: "no-store" });
    if (!answer.ok || !answer.body) throw failureOf(answer.status, await answer.json().catch(() => null));
    options.alive?.(true);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = createParser({
      onId: (id) => {
        last = id;
      },
      onRetry: (ms) => {
        soonest = ms;
      },
      onEvent: (event) => {
        if (event.data) options.onEvent(event);
      },
    });
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parser.feed(value);
    }
  };
  const run = async () => {
    for (let pause = 1000; !stop.signal.aborted; pause = Math.min(pause * 2, 15_000)) {
      const began = Date.now();
      try {
        await connect();
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof Refused && error.problem.status < 500 && error.problem.status !== 429) {
          options.refused(error);
          return;
        }
      }
      options.alive?.(false);
      if (Date.now() - began > 20_000) pause = 1000;
      await waitFor(Math.max(pause, soonest), stop.signal);
    }
  };
  void run();
  return () => stop.abort();
}

/** Waits, but no longer than until the browser is online again. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);
  });
}

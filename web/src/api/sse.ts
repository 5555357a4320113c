import { failureOf, Refused } from "./failure.ts";

export type ServerEvent = { id: string; event: string; data: string };

/**
 * Reads server-sent events with fetch, because EventSource cannot send a bearer token. Reconnects by itself after
 * 1, 2, 4 … 15 s and as soon as the browser is online again, from the last event it saw.
 * A refusal that repeating cannot mend ends it and is told to `refused`.
 */
export function follow(
  url: string,
  options: {
    token?: string;
    onEvent: (event: ServerEvent) => void;
    refused: (error: Refused) => void;
    alive?: (connected: boolean) => void;
  },
): () => void {
  const stop = new AbortController();
  let last = "";
  const connect = async (): Promise<void> => {
    const headers = new Headers({ Accept: "text/event-stream" });
    if (options.token) headers.set("Authorization", `Bearer ${options.token}`);
    if (last) headers.set("Last-Event-ID", last);
    const answer = await fetch(url, { headers, signal: stop.signal, cache: "no-store" });
    if (!answer.ok || !answer.body) throw failureOf(answer.status, await answer.json().catch(() => null));
    options.alive?.(true);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event.id) last = event.id;
        if (event.data) options.onEvent(event);
      }
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
      await waitFor(pause, stop.signal);
    }
  };
  void run();
  return () => stop.abort();
}

function parse(block: string): ServerEvent {
  const out: ServerEvent = { id: "", event: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "id") out.id = value ?? "";
    if (field === "event") out.event = value ?? "";
    if (field === "data") data.push(value ?? "");
  }
  return { ...out, data: data.join("\n") };
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

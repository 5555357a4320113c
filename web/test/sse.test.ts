import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { follow } from "../src/api/sse.ts";
import { problem, refuse } from "./server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** An answer whose body arrives in these pieces and then ends. */
const streamOf = (...pieces: readonly Uint8Array[]) => {
  const left = [...pieces];
  return new Response(
    new ReadableStream({
      pull(body) {
        const piece = left.shift();
        if (piece) body.enqueue(piece);
        else body.close();
      },
    }),
    { headers: { "Content-Type": "text/event-stream" } },
  );
};

const fetched = vi.fn<typeof fetch>();

/** What the last request said it had seen. */
const lastSeen = () => new Headers(fetched.mock.lastCall?.[1]?.headers).get("Last-Event-ID");

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
});

/** The events of one answer, read to its end. */
async function read(...pieces: readonly Uint8Array[]): Promise<string[]> {
  fetched.mockResolvedValueOnce(streamOf(...pieces));
  const events: string[] = [];
  await new Promise<void>((ended) => {
    const stop = follow("/events", {
      onEvent: ({ event, data }) => events.push(`${event ?? "message"} ${data}`),
      refused: () => undefined,
      alive: (connected) => {
        if (connected) return;
        stop();
        ended();
      },
    });
  });
  return events;
}

describe("a stream of events is read the same however it is cut", () => {
  const streams: readonly (readonly [name: string, text: string, events: readonly string[]])[] = [
    ["two events", "event: task\ndata: 1\n\ndata: 2\n\n", ["task 1", "message 2"]],
    ["lines that end in CR and LF", "event: task\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", ["task 1", "message 2"]],
    ["lines that end in CR", "event: task\rdata: 1\r\rdata: 2\r\r", ["task 1", "message 2"]],
    ["comments", ": hello\n\n:\n\ndata: 1\n: more\ndata: 2\n\n", ["message 1\n2"]],
    ["data of several lines", "data: 1\ndata\ndata:\ndata:  2\n\n", ["message 1\n\n\n 2"]],
    ["an id without data", "id: evt_1\n\ndata: 1\n\n", ["message 1"]],
    ["an event without data", "event: task\n\nevent: task\ndata:\n\ndata: 1\n\n", ["message 1"]],
    ["a byte order mark", "\uFEFFdata: 1\n\n", ["message 1"]],
    ["letters of two, three and four bytes", "data: Zürich 東京 🙂\n\n", ["message Zürich 東京 🙂"]],
    ["colons in the data", 'data: {"at":"12:30"}\n\n', ['message {"at":"12:30"}']],
    ["fields that nobody knows", "datum: 1\nmore\ndata: 2\n\n", ["message 2"]],
    ["an event that the end cuts off", "data: 1\n\ndata: 2\n", ["message 1"]],
  ];
  it.each(streams)("%s", async (_name, text, events) => {
    const whole = bytes(text);
    for (let at = 0; at <= whole.length; at++)
      expect([at, await read(whole.slice(0, at), whole.slice(at))]).toEqual([at, events]);
    expect(await read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(events);
  });
});

describe("after the end of a stream", () => {
  const followed = () => {
    const seen = { refused: vi.fn(), alive: vi.fn(), onEvent: vi.fn() };
    return { ...seen, stop: follow("/events", { token: "token", ...seen }) };
  };

  it.each([
    ["the id of an event", "id: evt_1\ndata: 1\n\n", "evt_1"],
    ["an id without data", "id: evt_1\ndata: 1\n\nid: evt_2\n\n", "evt_2"],
    ["the id before an event without one", "id: evt_1\ndata: 1\n\ndata: 2\n\n", "evt_1"],
    ["nothing after an empty id", "id: evt_1\ndata: 1\n\nid\ndata: 2\n\n", null],
    ["nothing of a block that the end cuts off", "id: evt_1\ndata: 1\n\nid: evt_2\ndata: 2\n", "evt_1"],
  ])("it asks again with %s", async (_name, text, id) => {
    fetched.mockImplementation(async () => streamOf(bytes(text)));
    const { alive, stop } = followed();
    await vi.waitFor(() => expect(alive).toHaveBeenLastCalledWith(false));
    expect(lastSeen()).toBeNull();
    expect(new Headers(fetched.mock.lastCall?.[1]?.headers).get("Authorization")).toBe("Bearer token");
    dispatchEvent(new Event("online"));
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
    expect(lastSeen()).toBe(id);
    stop();
  });

  it.each([
    ["1, 2, 4, 8, 15 and 15 s", "data: 1\n\n", [1000, 2000, 4000, 8000, 15_000, 15_000]],
    ["no less than the server asks for", "retry: 2500\ndata: 1\n\n", [2500, 2500, 4000, 8000, 15_000]],
    ["as ever when the server asks for nonsense", "retry: soon\ndata: 1\n\n", [1000, 2000]],
  ])("it waits %s", async (_name, text, pauses) => {
    vi.useFakeTimers();
    fetched.mockImplementation(async () => streamOf(bytes(text)));
    const { stop } = followed();
    for (const [n, pause] of pauses.entries()) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect([n, fetched.mock.calls.length]).toEqual([n, n + 1]);
      await vi.advanceTimersByTimeAsync(1);
      expect([n, fetched.mock.calls.length]).toEqual([n, n + 2]);
    }
    stop();
  });

  it("it asks no more once it is stopped", async () => {
    vi.useFakeTimers();
    fetched.mockImplementation(async () => streamOf(bytes("data: 1\n\n")));
    const { stop } = followed();
    await vi.advanceTimersByTimeAsync(500);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("it asks again after a fault of the server, and not after a refusal", async () => {
    vi.useFakeTimers();
    fetched
      .mockResolvedValueOnce(refuse(problem("internal", 503)))
      .mockResolvedValueOnce(refuse(problem("rate.limited", 429)))
      .mockRejectedValueOnce(new TypeError("no network"))
      .mockResolvedValue(refuse(problem("auth.forbidden", 403)));
    const { refused, alive, onEvent } = followed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(4);
    expect(refused).toHaveBeenCalledOnce();
    expect(alive).not.toHaveBeenCalledWith(true);
    expect(onEvent).not.toHaveBeenCalled();
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { embed, type Listeners, popup } from "../sdk/src/index.ts";
import { isFocus, readMessage } from "../sdk/src/messages.ts";

const link = "https://verify.example/v/abcdefghijklmnopqrstuvwxyz";

describe.skipIf(!existsSync("sdk/dist/index.js"))("what is built of it (npm run sdk)", () => {
  it("weighs at most 5 kB, minified and gzipped, with the component for React", () => {
    const files = readdirSync("sdk/dist").filter((name) => name.endsWith(".js"));
    expect(files.length).toBeGreaterThanOrEqual(2);
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(`sdk/dist/${name}`)).length, 0);
    expect(bytes).toBeLessThanOrEqual(5000);
  });

  it("has types of its own, and imports nothing but React", () => {
    for (const name of ["index", "react"]) expect(existsSync(`sdk/dist/${name}.d.ts`)).toBe(true);
    const all = readdirSync("sdk/dist").map((name) => readFileSync(`sdk/dist/${name}`, "utf8"));
    const from = all.flatMap((text) =>
      [...text.matchAll(/\bfrom\s*["']([^"'./][^"']*)["']/g)].map((match) => match[1]),
    );
    expect(from.filter((name) => !name?.startsWith("react"))).toEqual([]);
  });
});

describe("a message", () => {
  const good = [
    { type: "ready" },
    { type: "submitted" },
    { type: "step", step: "document_front" },
    { type: "step", step: "a_step_of_tomorrow" },
    { type: "result", state: "in_review" },
    { type: "problem", code: "capture.blurred" },
    { type: "problem", code: "not_found" },
    { type: "size", height: 640 },
  ];
  it.each(good)("of a known form is taken: $type $step $state $code", (told) => {
    expect(readMessage({ bonafide: 1, ...told })).toEqual(told);
  });

  it.each([
    ["nothing", null],
    ["a text", "ready"],
    ["without its mark", { type: "ready" }],
    ["of another number", { bonafide: 2, type: "ready" }],
    ["of an unknown type", { bonafide: 1, type: "verdict" }],
    ["with something more", { bonafide: 1, type: "ready", name: "Anna" }],
    ["with a verdict", { bonafide: 1, type: "result", state: "approved" }],
    ["with a verdict beside", { bonafide: 1, type: "result", state: "decided", outcome: "approved" }],
    ["with a step that is no word", { bonafide: 1, type: "step", step: "<img src=x>" }],
    ["with a step that is a list", { bonafide: 1, type: "step", step: ["selfie"] }],
    ["with a code that is a sentence", { bonafide: 1, type: "problem", code: "Anna was here" }],
    ["with a height that is none", { bonafide: 1, type: "size", height: Number.NaN }],
    ["with a height beyond every screen", { bonafide: 1, type: "size", height: 1e9 }],
    ["with a height that is text", { bonafide: 1, type: "size", height: "640" }],
    ["of another kind of object", Object.assign(Object.create({ type: "ready" }), { bonafide: 1 })],
  ])("%s is not taken", (_, data) => {
    expect(readMessage(data)).toBeNull();
    expect(isFocus(data)).toBe(false);
  });
});

describe("a frame", () => {
  const names = ["ready", "step", "submitted", "result", "problem", "closed"] as const;
  const shown = (to = link, options = {}) => {
    const heard: string[] = [];
    const note = (name: string) => (event: object) => heard.push([name, ...Object.values(event)].join(" "));
    const on: Listeners = Object.fromEntries(names.map((name) => [name, note(name)]));
    const place = document.createElement("div");
    document.body.append(place);
    const check = embed(place, to, { on, ...options });
    const frame = place.querySelector("iframe");
    if (!frame) throw new Error("no frame");
    const say = (told: object, origin = "https://verify.example", source: Window | null = frame.contentWindow) =>
      dispatchEvent(new MessageEvent("message", { data: { bonafide: 1, ...told }, origin, source }));
    return { heard, check, frame, say };
  };
  afterEach(() => {
    document.body.replaceChildren();
    vi.useRealTimers();
  });

  it("lends the camera, has a name, and says behind the # who shows it", () => {
    const { frame } = shown(link, { title: "Wer sind Sie?" });
    expect(frame.allow).toBe("camera");
    expect(frame.title).toBe("Wer sind Sie?");
    expect(frame.src).toBe(`${link}#host=${encodeURIComponent(location.origin)}`);
  });

  it.each([
    "javascript:alert(1)",
    "http://verify.example/v/abc",
    "https://verify.example/console",
    "https://verify.example/v/a/b",
    "data:text/html,a",
    "/v/abc",
  ])("is not made for %s", (wrong) => {
    expect(() => shown(wrong)).toThrow(TypeError);
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("passes on what its page tells, in order, and ends once", () => {
    const { heard, check, say } = shown();
    say({ type: "ready" });
    say({ type: "step", step: "selfie" });
    say({ type: "problem", code: "capture.blurred" });
    say({ type: "submitted" });
    say({ type: "result", state: "decided" });
    check.close();
    check.close();
    expect(heard).toEqual(["ready", "step selfie", "problem capture.blurred", "submitted", "result decided", "closed"]);
  });

  it("takes nothing from another origin, another window, or without one, and nothing after its end", () => {
    const { heard, check, frame, say } = shown();
    const inside = frame.contentWindow;
    say({ type: "ready" }, "https://evil.example");
    say({ type: "ready" }, "null");
    say({ type: "ready" }, "https://verify.example.evil.example");
    say({ type: "ready" }, undefined, window);
    say({ type: "ready" }, undefined, null);
    check.close();
    say({ type: "result", state: "decided" }, undefined, inside);
    expect(heard).toEqual(["closed"]);
  });

  it("grows with its page and not below its least height", () => {
    const { frame, say } = shown(link, { minHeight: 500 });
    expect(frame.style.height).toBe("500px");
    say({ type: "size", height: 900.4 });
    expect(frame.style.height).toBe("901px");
    say({ type: "size", height: 20 });
    expect(frame.style.height).toBe("500px");
  });

  it("takes the focus when it is ready, and gives it back when it closes", () => {
    const button = document.createElement("button");
    document.body.append(button);
    button.focus();
    const { check, frame, say } = shown();
    const asked = vi.fn();
    if (frame.contentWindow) frame.contentWindow.postMessage = asked;
    say({ type: "ready" });
    expect(document.activeElement).toBe(frame);
    expect(asked).toHaveBeenCalledWith({ bonafide: 1, type: "focus" }, "https://verify.example");
    check.close();
    expect(document.activeElement).toBe(button);
  });

  it("leaves the focus with who has gone on meanwhile, and where it is told to", () => {
    const field = document.createElement("input");
    document.body.append(field);
    const gone = shown();
    field.focus();
    gone.say({ type: "ready" });
    expect(document.activeElement).toBe(field);
    shown(link, { focus: false }).say({ type: "ready" });
    expect(document.activeElement).toBe(field);
  });

  it("says so when it has loaded and stays silent, as one does that the browser refused", () => {
    vi.useFakeTimers();
    const { heard, frame } = shown();
    frame.dispatchEvent(new Event("load"));
    vi.advanceTimersByTime(10_000);
    expect(heard).toEqual(["problem embed.silent"]);
  });
});

describe("a window", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const fake = () => {
    const went: string[] = [];
    const shown = { closed: false, close: vi.fn(), location: { replace: (to: string) => went.push(to) } };
    vi.spyOn(window, "open").mockReturnValue(new Proxy(window, { get: (_, name) => Reflect.get(shown, name) }));
    return { went, shown };
  };

  it("opens at once and goes on when the link is there", async () => {
    const { went } = fake();
    const check = popup(Promise.resolve(link));
    expect(window.open).toHaveBeenCalledOnce();
    expect(went).toEqual([]);
    await vi.waitFor(() => expect(went).toEqual([`${link}#host=${encodeURIComponent(location.origin)}`]));
    check.close();
  });

  it("that the browser blocks is told", async () => {
    vi.spyOn(window, "open").mockReturnValue(null);
    const heard: string[] = [];
    popup(link, { on: { problem: ({ code }) => heard.push(code), closed: () => heard.push("closed") } });
    await vi.waitFor(() => expect(heard).toEqual(["popup.blocked", "closed"]));
  });

  it("whose link is none closes, and that is told", async () => {
    const { went, shown } = fake();
    const heard: string[] = [];
    popup(Promise.resolve("javascript:alert(1)"), {
      on: { problem: ({ code }) => heard.push(code), closed: () => heard.push("closed") },
    });
    await vi.waitFor(() => expect(heard).toEqual(["link.invalid", "closed"]));
    expect(went).toEqual([]);
    expect(shown.close).toHaveBeenCalled();
  });

  const watched = (told?: object) => {
    vi.useFakeTimers();
    const { shown } = fake();
    const seen = window.open();
    const heard: string[] = [];
    popup(link, {
      on: {
        ready: () => heard.push("ready"),
        problem: ({ code }) => heard.push(code),
        closed: () => heard.push("closed"),
      },
    });
    if (told)
      dispatchEvent(
        new MessageEvent("message", { data: { bonafide: 1, ...told }, origin: "https://verify.example", source: seen }),
      );
    shown.closed = true;
    vi.advanceTimersByTime(400);
    return heard;
  };

  it("that is gone before it said anything is silent, as one is that the browser cut off", () => {
    expect(watched()).toEqual(["embed.silent", "closed"]);
  });

  it("that the person closes later is closed, and nothing else", () => {
    expect(watched({ type: "ready" })).toEqual(["ready", "closed"]);
  });

  it("that is closed before its link is there was not silent", () => {
    vi.useFakeTimers();
    const { shown } = fake();
    const heard: string[] = [];
    popup(new Promise(() => undefined), {
      on: { problem: ({ code }) => heard.push(code), closed: () => heard.push("closed") },
    });
    shown.closed = true;
    vi.advanceTimersByTime(400);
    expect(heard).toEqual(["closed"]);
  });
});

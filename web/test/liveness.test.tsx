import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Challenge, Task } from "../src/api/wire.ts";
import { lightAt, showsLight } from "../src/applicant/liveness/light.ts";
import { isStale, momentAt } from "../src/applicant/liveness/moments.ts";
import { paceOf, qualityFor } from "../src/applicant/liveness/record.ts";
import { heading, press, resume } from "./applicant.tsx";
import { say, server, task } from "./server.ts";

const challenge = (more: Partial<Challenge> = {}): Challenge => ({
  token: "chl_1.mac",
  expires_at: new Date(Date.now() + 180_000).toISOString(),
  prompts: [
    { move: "left", at_ms: 1500, for_ms: 2000 },
    { move: "up", at_ms: 5000, for_ms: 2000 },
    { move: "closer", at_ms: 8500, for_ms: 2000 },
  ],
  duration_ms: 12_000,
  gentle: false,
  light: [],
  limits: { least_frames: 8, most_frames: 90, most_bytes: 12_582_912, least_span_ms: 3000, most_span_ms: 40_000 },
  ...more,
});

describe("the colours of a challenge", () => {
  const light = [
    { colour: "#ffb4d2", at_ms: 1000, for_ms: 1500 },
    { colour: "#9fd0ff", at_ms: 2500, for_ms: 1200 },
  ];
  const prefer = (what: string) =>
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: query.includes(what),
      addEventListener: () => undefined,
    }));
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    [0, "#cbcbcb", 0],
    [999, "#cbcbcb", 0],
    [1000, "#ffb4d2", 1],
    [2499, "#ffb4d2", 1],
    [2500, "#9fd0ff", 2],
    [3699, "#9fd0ff", 2],
    [3700, "#cbcbcb", 2],
  ])("at %i ms the screen is %s", (at, colour, begun) => {
    expect(lightAt(challenge({ light }), at)).toEqual({ colour, begun });
  });

  it("are shown where there are some and nobody minds", () => {
    prefer("no such thing");
    expect(showsLight(challenge({ light }))).toBe(true);
    expect(showsLight(challenge())).toBe(false);
    prefer("prefers-reduced-motion");
    expect(showsLight(challenge({ light }))).toBe(false);
    prefer("forced-colors");
    expect(showsLight(challenge({ light }))).toBe(false);
  });
});

describe("what a challenge asks at a moment", () => {
  it.each([
    [0, null, 0],
    [1499, null, 0],
    [1500, "left", 1],
    [3499, "left", 1],
    [3500, null, 1],
    [5000, "up", 2],
    [9000, "closer", 3],
    [11_000, null, 3],
  ])("%i ms after the first frame: %s, movement %i", (at, move, n) =>
    expect(momentAt(challenge(), at)).toEqual({ move, n }),
  );
});

describe("a challenge that may run out before it is answered", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const until = (seconds: number) => challenge({ expires_at: new Date(now + seconds * 1000).toISOString() });
  it.each([
    ["is new", 180, 0, false],
    ["was looked at for two minutes", 60, 120_000 + 4000, true],
    ["is old, though this page has only just seen it", 40, 0, true],
    ["is new by the page, and the device's clock is slow", 900, 0, false],
    ["is old by the page, and the device's clock is slow", 900, 170_000, true],
  ])("%s", (_, seconds, age, stale) => expect(isStale(until(seconds), age, now)).toBe(stale));
});

describe("how a run stays within what the server takes", () => {
  it.each([9_000, 12_000, 21_000, 40_000])("a run of %i ms has no more frames than it takes", (duration_ms) => {
    const one = challenge({ duration_ms });
    const frames = Math.floor(duration_ms / paceOf(one)) + 1;
    expect(frames).toBeLessThanOrEqual(one.limits.most_frames);
    expect(frames).toBeGreaterThanOrEqual(one.limits.least_frames);
  });

  it("takes quality away only where the rest would not fit", () => {
    expect(qualityFor(0, 0, 80, 12_000_000)).toBe(0.85);
    expect(qualityFor(100_000, 1_000_000, 70, 12_000_000)).toBe(0.85);
    expect(qualityFor(200_000, 1_000_000, 70, 12_000_000)).toBe(0.7);
    expect(qualityFor(400_000, 6_000_000, 60, 12_000_000)).toBe(0.55);
  });
});

const live = (more: Partial<Task> = {}): Task =>
  task({ step: "selfie", position: 4, document_kind: "passport", takes: "frames", challenge: challenge(), ...more });

describe("the step that proves a live person", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("says what is asked and how long it takes, and takes no file", async () => {
    resume(live());
    await heading("Quick check that it's really you");
    expect(screen.getByText(/It takes 12 seconds/)).toBeDefined();
    expect(document.querySelector('input[type="file"]')).toBeNull();
  });

  it("takes one picture, as before, where the server asks for one", async () => {
    resume(live({ takes: "face_image", challenge: null }));
    await heading("Now a photo of your face");
    expect(document.querySelector('input[type="file"]')).not.toBeNull();
  });

  it("reads the task where a live update names no challenge, and asks no more than once", async () => {
    const read = vi.fn(() => HttpResponse.json(live({ challenge: null })));
    resume(task({ state: "wait", step: "", position: 0 }));
    server.use(say.events(live({ challenge: null })), http.get("*/v1/applicant/task", read, { once: false }));
    await heading(/went wrong/);
    expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it("says that there are no tries left where the server issues no challenge for that", async () => {
    const spent = live({ challenge: null, attempts_left: 0 });
    server.use(say.events(spent));
    resume(spent);
    await heading(/no tries left/);
  });

  it.each([
    [
      "Smaller movements",
      "gentle",
      live({ challenge: challenge({ gentle: true, duration_ms: 17_000 }) }),
      /really you/,
    ],
    ["One photo", "person", live({ takes: "face_image", challenge: null }), /photo of your face/],
  ])("offers %s to who cannot, and goes where the server says", async (name, path, next, title) => {
    resume(live());
    const chosen = vi.fn();
    server.use(
      http.post("*/v1/applicant/liveness", async ({ request }) => {
        chosen(await request.json());
        return HttpResponse.json(next);
      }),
    );
    await press("Other options");
    await heading("Which option suits you better?");
    await press(new RegExp(name));
    await heading(title);
    expect(chosen.mock.calls).toEqual([[{ path }]]);
  });

  it("offers another way, and no file, where the camera is denied", async () => {
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: () => Promise.reject(new DOMException("refused", "NotAllowedError")) },
    });
    resume(live());
    await press("Open the camera");
    await heading("The camera is not allowed");
    expect(document.querySelector('input[type="file"]')).toBeNull();
    await press("Other options");
    await heading("Which option suits you better?");
  });

  it("names step and brand in the camera's title, and its heading reads the hint at once", async () => {
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: () => new Promise(() => undefined) },
    });
    resume(live());
    await press("Open the camera");
    const title = await heading("Camera picture of your face");
    expect(document.title).toBe("Camera picture of your face · Step 4 of 4 · Harbour Bank");
    expect(document.activeElement).toBe(title);
    const hint = document.getElementById(title.getAttribute("aria-describedby") ?? "");
    expect([hint?.getAttribute("role"), hint?.textContent]).toEqual(["status", expect.stringContaining("allow it")]);
  });

  it("says what was wrong with the last run, and how many tries are left", async () => {
    const problem = {
      code: "liveness.challenge_missed" as const,
      step: "selfie" as const,
      title: "Missed.",
      remedy: "Again.",
    };
    resume(live({ attempts_left: 2, problem }));
    expect((await screen.findByRole("alert")).textContent).toContain("Again.");
    expect(screen.getByText("2 tries left")).toBeDefined();
  });
});

import { expect, type Page, type Request } from "@playwright/test";
import type { Challenge, Task } from "../src/api/wire.ts";
import { applicantStates } from "./states/applicant.ts";
import { answer } from "./states/state.ts";
import { challenge, live, task, tooFast } from "./states/steps.ts";
import { framedFace } from "./support/fixtures.ts";
import { played, playing } from "./support/states.ts";
import { type Open, test } from "./support/test.ts";
import { listen, told } from "./support/told.ts";

// The recording in real Chromium, with answers of our own: what is asked on the screen, what is sent and when, and that
// nothing counts before the end. Whether a run proves a person is the server's business and is tested there.
const short = {
  duration_ms: 4000,
  prompts: [
    { move: "left" as const, at_ms: 900, for_ms: 1000 },
    { move: "closer" as const, at_ms: 2600, for_ms: 900 },
  ],
};

test.beforeAll(({ camera }) => {
  camera.show(framedFace());
});

type Sent = {
  attempt: string;
  run: Record<string, unknown>;
  times: number[];
  frames: Buffer[];
  order: string[];
  upload: string;
};

/** Reads a multipart form as the server would. */
function formOf(request: Request): Sent {
  const boundary = /boundary=(\S+)/.exec(request.headers()["content-type"] ?? "")?.[1] ?? "";
  const body = request.postDataBuffer() ?? Buffer.alloc(0);
  const out: Sent = { attempt: "", run: {}, times: [], frames: [], order: [], upload: "" };
  let at = body.indexOf(`--${boundary}`);
  for (;;) {
    const next = body.indexOf(`--${boundary}`, at + 2);
    if (next < 0) break;
    const part = body.subarray(at + boundary.length + 4, next - 2);
    const split = part.indexOf("\r\n\r\n");
    const name = /name="(\w+)"/.exec(part.subarray(0, split).toString())?.[1] ?? "";
    const value = part.subarray(split + 4);
    out.order.push(name);
    if (name === "attempt") out.attempt = value.toString();
    if (name === "run") out.run = JSON.parse(value.toString());
    if (name === "upload") out.upload = value.toString();
    at = next;
  }
  if (Array.isArray(out.run.times_ms)) out.times = out.run.times_ms.map(Number);
  return out;
}

/** The frames of a run, cut out of what came in parts. */
function framesOf(run: Record<string, unknown>, bytes: Buffer): Buffer[] {
  let at = 0;
  return (Array.isArray(run.frame_bytes) ? run.frame_bytes.map(Number) : []).map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
}

/** Takes what comes in parts, as the server does. */
async function takeParts(page: Page, uploads: Map<string, Buffer>): Promise<void> {
  await page.route("**/v1/applicant/uploads**", (route) => {
    const request = route.request();
    const id = /upl_\d+$/.exec(request.url())?.[0] ?? `upl_${uploads.size + 1}`;
    if (request.method() === "DELETE") {
      uploads.delete(id);
      return route.fulfill({ status: 204 });
    }
    const there = Buffer.concat([uploads.get(id) ?? Buffer.alloc(0), request.postDataBuffer() ?? Buffer.alloc(0)]);
    const begins = request.method() === "POST";
    uploads.set(id, begins ? Buffer.alloc(0) : there);
    const received = uploads.get(id)?.length ?? 0;
    const limits = {
      part_bytes: 512 << 10,
      most_bytes: 15 << 20,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    return route.fulfill({ status: begins ? 201 : 200, json: { id, received, ...limits } });
  });
}

type Visit = { page: Page; sent: Sent[]; calls: string[]; uploads: Map<string, Buffer> };

async function at(
  open: Open,
  url: string,
  now: Task,
  next: Task | { status: number; json: unknown },
  part: (visit: Visit) => Promise<void>,
): Promise<void> {
  const state = applicantStates.find(({ name }) => name === "selfie-live-intro");
  if (!state) throw new Error("no state");
  const { page } = await open();
  const visit: Visit = { page, sent: [], calls: [], uploads: new Map() };
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.addInitScript(state.before ?? "");
  await listen(page);
  await answer(page, { ...state.api, "GET /v1/applicant/task": { json: now } });
  await takeParts(page, visit.uploads);
  await page.route("**/v1/applicant/steps/selfie", async (route) => {
    const form = formOf(route.request());
    visit.sent.push({ ...form, frames: framesOf(form.run, visit.uploads.get(form.upload) ?? Buffer.alloc(0)) });
    await ("status" in next ? route.fulfill(next) : route.fulfill({ json: next }));
  });
  page.on("request", (request) => visit.calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(url + state.path);
  await part(visit);
  expect(complaints).toEqual([]);
}

const timesOf = (times: unknown): number[] => (Array.isArray(times) ? times.map(Number) : []);

/** A challenge that is content with the frames of a busy machine: how many a run has is what another test is about. */
const patient = (more: Partial<Challenge>): Task =>
  live({ ...more, limits: { ...challenge().limits, least_frames: 2 } });

/** Writes down each colour around the oval and when it came; the answer reads what was written by then. */
async function watchLight(page: Page): Promise<() => Promise<{ colour: string; at: number }[]>> {
  const seen = await page.evaluateHandle(() => {
    const changes: { colour: string; at: number }[] = [];
    const look = () => {
      const lit = document.querySelector<HTMLElement>('[data-lit="true"]');
      const colour = lit?.style.getPropertyValue("--light");
      if (colour && changes.at(-1)?.colour !== colour) changes.push({ colour, at: performance.now() });
      requestAnimationFrame(look);
    };
    look();
    return changes;
  });
  return () => seen.evaluate((changes) => changes);
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
const says = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words }).waitFor();
const waiting = task({ state: "wait", step: "", position: 0 });

test.describe("recording what a challenge asks", () => {
  const colours = [
    { colour: "#ffb4d2", at_ms: 700, for_ms: 1100 },
    { colour: "#96dca5", at_ms: 1800, for_ms: 1200 },
    { colour: "#9fd0ff", at_ms: 3000, for_ms: 600 },
  ];

  // The browser says that the person prefers less motion.
  test("shows each movement at its time, no colours, and sends all frames once, as they were taken", ({ open, site }) =>
    at(open, site.url, live({ ...short, light: colours }), waiting, async ({ page, sent, calls }) => {
      await press(page, "Open the camera");
      await playing(page);
      const lit = await watchLight(page);
      await press(page, "I am ready");
      await says(page, /straight ahead/);
      await says(page, /to the left/);
      await says(page, /Back to the middle/);
      await says(page, /Come closer/);
      expect(calls.filter((call) => call.startsWith("PUT"))).toEqual([]);
      await page.getByRole("heading", { name: /checking your photos/ }).waitFor();
      // A screen reader is told each once, when it is asked, and nothing else meanwhile.
      const heard = await told(page);
      const asked = heard.slice(heard.indexOf("Look straight ahead")).filter((words) => !/sent|[Ss]ending/.test(words));
      expect(asked).toEqual([
        "Look straight ahead",
        "Turn your head to the left",
        "Back to the middle",
        "Come closer to the camera",
        "Back to the middle. That's it",
      ]);
      expect(await lit()).toEqual([]);
      expect(sent).toHaveLength(1);
      const [{ attempt, run, times, frames, order }] = [sent[0] ?? formless];
      expect(attempt).toMatch(/^[\w-]{1,64}$/);
      expect(Object.keys(run).sort()).toEqual(["camera", "challenge", "frame_bytes", "times_ms"]);
      expect(run.challenge).toBe("chl_7Q2M.0f3c");
      expect(order.sort()).toEqual(["attempt", "run", "size", "upload"]);
      expect(frames).toHaveLength(times.length);
      expect(times[0]).toBe(0);
      expect(times.every((time, i) => Number.isInteger(time) && (i === 0 || time > (times[i - 1] ?? 0)))).toBe(true);
      expect(times.length).toBeGreaterThanOrEqual(8);
      expect(times.at(-1)).toBeGreaterThan(3000);
      expect(times.at(-1)).toBeLessThanOrEqual(4200);
      for (const frame of frames) expect(frame.subarray(0, 3).toString("hex")).toBe("ffd8ff");
      expect(run.camera).toMatchObject({ hints: ["webdriver"] });
    }));

  // It lasts longer than its colours, for what comes after them has to be shown too. Axe would hold the page while they are shown:
  // it looks at the state 'selfie-live-lit' in screens.e2e.ts.
  const lit = { ...short, duration_ms: short.duration_ms + 3000, light: colours };

  test("lights the face with each colour at its time, and says when", { tag: "@nightly" }, ({ open, site }) =>
    at(open, site.url, live(lit), waiting, async ({ page, sent }) => {
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await press(page, "Open the camera");
      await playing(page);
      const seen = await watchLight(page);
      await press(page, "I am ready");
      await says(page, /Come closer/);
      await page.getByRole("heading", { name: /checking your photos/ }).waitFor();
      const changes = await seen();
      expect(changes.map(({ colour }) => colour)).toEqual([
        "#cbcbcb",
        ...colours.map(({ colour }) => colour),
        "#cbcbcb",
      ]);
      const said = timesOf(sent[0]?.run.light_ms);
      expect(said).toHaveLength(colours.length);
      for (const [i, { at_ms }] of colours.entries()) {
        expect((said[i] ?? 0) - at_ms).toBeGreaterThanOrEqual(0);
        expect((said[i] ?? 0) - at_ms).toBeLessThanOrEqual(400); // later, and the server believes none of it
        const since = (changes[i + 1]?.at ?? 0) - (changes[1]?.at ?? 0);
        expect(Math.abs(since - ((said[i] ?? 0) - (said[0] ?? 0)))).toBeLessThan(200);
      }
    }),
  );

  // Longer than the others, so that a busy machine reaches Cancel before the end.
  const longer = {
    duration_ms: 7000,
    prompts: [
      { move: "left" as const, at_ms: 900, for_ms: 3000 },
      { move: "closer" as const, at_ms: 5600, for_ms: 900 },
    ],
  };

  test("cancelled by the keyboard it leaves nothing behind, and can be begun again", ({ open, site }) =>
    at(open, site.url, patient(longer), waiting, async ({ page, sent, uploads }) => {
      await press(page, "Open the camera");
      await playing(page);
      await page.getByRole("button", { name: "I am ready" }).focus();
      await page.keyboard.press("Enter");
      await says(page, /to the left/);
      await page.getByRole("button", { name: "Cancel" }).focus();
      await page.keyboard.press("Space");
      await says(page, /Nothing was kept/);
      await played(page, 7.5); // longer than a run takes
      expect(sent).toEqual([]);
      expect(uploads.size).toBe(0);
      await press(page, "Start again");
      await page.getByRole("heading", { name: /checking your photos/ }).waitFor();
      expect(sent).toHaveLength(1);
    }));

  test("a device that is too slow says so, sends nothing, and can begin again", ({ open, site }) =>
    at(open, site.url, live(tooFast), waiting, async ({ page, sent, uploads }) => {
      await press(page, "Open the camera");
      await playing(page);
      await press(page, "I am ready");
      for (const again of [true, false]) {
        await says(page, /too slow. Close other apps and start again/);
        if (again) await page.getByRole("button", { name: "Start again" }).click();
      }
      expect(sent).toEqual([]);
      expect(uploads.size).toBe(0);
    }));

  test("the way for who cannot is open from the camera, too", { tag: "@nightly" }, ({ open, site }) =>
    at(open, site.url, live(short), waiting, async ({ page }) => {
      await press(page, "Open the camera");
      await playing(page);
      await press(page, "Other options");
      await page.getByRole("heading", { name: "Which option suits you better?" }).waitFor();
      expect(await page.locator("video").count()).toBe(0);
    }),
  );

  test(
    "goes back to the start of the step with the reason when the run is refused",
    { tag: "@nightly" },
    ({ open, site }) =>
      at(
        open,
        site.url,
        live(short),
        {
          status: 422,
          json: { code: "liveness.challenge_missed", title: "Missed.", remedy: "Follow the arrows.", status: 422 },
        },
        async ({ page }) => {
          await press(page, "Open the camera");
          await press(page, "I am ready");
          await page.getByRole("heading", { name: "Quick check that it's really you" }).waitFor();
          await page.getByRole("alert").waitFor();
          await page.getByRole("button", { name: "Try again with the camera" }).waitFor();
        },
      ),
  );

  test(
    "fetches another challenge where this one would run out, and answers that one",
    { tag: "@nightly" },
    ({ open, site }) =>
      at(
        open,
        site.url,
        live({ ...short, expires_at: new Date(Date.now() + 10_000).toISOString() }),
        waiting,
        async ({ page, sent }) => {
          const fresh = live({ ...short, token: "chl_fresh.77" });
          await page.route("**/v1/applicant/liveness", (route) => route.fulfill({ json: fresh }));
          await press(page, "Open the camera");
          await press(page, "I am ready");
          await page.getByRole("heading", { name: /checking your photos/ }).waitFor();
          expect(sent[0]?.run.challenge).toBe("chl_fresh.77");
        },
      ),
  );
});

const formless: Sent = { attempt: "", run: {}, times: [], frames: [], order: [], upload: "" };

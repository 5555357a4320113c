import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicantStates } from "./states/applicant.ts";
import { answer } from "./states/state.ts";
import { launch, sizes } from "./support/browser.ts";
import { arranged } from "./support/crop.ts";
import { fakeCamera, results, specimen, webRoot } from "./support/fixtures.ts";
import { strike } from "./support/keys.ts";
import { serveDist } from "./support/site.ts";
import { listen, told } from "./support/told.ts";

// Guidance in real Chromium: what lies before the camera is found, judged and taken by itself; nothing is sent meanwhile;
// and without guidance the button does what it always did.
const camera = fakeCamera("guide");
const small = ["-width", "1600", "-height", "1200"];

let browser: Browser;
let site: Awaited<ReturnType<typeof serveDist>>;

beforeAll(async () => {
  camera.show(specimen("passport", 3, ...small).front);
  [browser, site] = await Promise.all([launch(camera.path), serveDist(`${webRoot}dist`)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

type Visit = { page: Page; calls: string[]; complaints: string[] };

/** Opens a step of the flow with a picture before the camera. */
async function at(name: string, picture: string, part: (visit: Visit) => Promise<void>, before = ""): Promise<void> {
  const state = applicantStates.find((one) => one.name === name);
  if (!state) throw new Error(`no state ${name}`);
  camera.show(picture);
  const context = await browser.newContext({
    viewport: sizes.phone,
    locale: "en-GB",
    reducedMotion: "reduce",
    permissions: ["camera"],
  });
  const page = await context.newPage();
  const [calls, complaints]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await listen(page);
  await page.addInitScript(`${state.before ?? ""};${before}`);
  await answer(page, state.api);
  await page.goto(site.url + state.path);
  page.on("request", (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  try {
    await part({ page, calls, complaints });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const open = async ({ page }: Visit) => page.getByRole("button", { name: "Open the camera" }).click();
const says = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words }).waitFor();
const taken = (page: Page) => page.getByRole("heading", { name: "Can you read every line?" }).waitFor();
const tracks = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector("video");
    const stream = video?.srcObject;
    return stream instanceof MediaStream ? stream.getTracks().map((track) => track.readyState) : [];
  });

describe("guidance before the camera", () => {
  it.each([
    ["a passport's page", "passport-intro", specimen("passport", 3, ...small).front],
    ["a card's front", "card-intro", specimen("id_card", 3, ...small).front],
    ["a card's back", "back-intro", specimen("id_card", 1, "-face", "cedar", "-width", "2560", "-height", "1920").back],
  ])("takes %s by itself, and sends nothing for it", (_, state, picture) =>
    at(state, picture, async (visit) => {
      await open(visit);
      await taken(visit.page);
      const image = visit.page.getByRole("img", { name: "The picture of your document" });
      expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThanOrEqual(1200);
      expect(visit.calls.filter((call) => /\/v1\//.test(call) && !call.startsWith("GET"))).toEqual([]);
    }),
  );

  it.each([
    ["a page that is far away", "small page", /Come closer/],
    ["a page in the dark", "low light", /too dark/],
  ])("does not take %s, and says what to do", (_, trouble, words) =>
    at("passport-intro", specimen("passport", 70, "-camera", "hard", "-trouble", trouble).front, async (visit) => {
      await open(visit);
      await says(visit.page, words);
      await visit.page.waitForTimeout(2500);
      expect(await visit.page.locator("video").count()).toBe(1);
    }),
  );

  it("does not take a face for a document, and shows how to go on after a while", () =>
    at("card-intro", specimen("passport", 3, ...small).selfie, async (visit) => {
      await open(visit);
      await says(visit.page, /press the button yourself/);
      await visit.page.getByRole("button", { name: "Take the picture" }).click();
      await taken(visit.page);
    }));

  it("takes a face by itself that fills the oval", () =>
    at("selfie-intro", specimen("passport", 3, ...small).selfie, async (visit) => {
      await open(visit);
      await visit.page.getByRole("heading", { name: /sharp and well lit/ }).waitFor();
      expect(visit.calls.filter((call) => /\/v1\//.test(call) && !call.startsWith("GET"))).toEqual([]);
    }));

  it.each([
    ["far away", [{ x: 430, y: 322, width: 740 }], /Come closer/],
    ["beside another", [20, 820].map((x) => ({ x, y: 315, width: 760 })), /Only you/],
  ])("does not take a face that is %s, and says what to do", async (what, places, words) => {
    const { selfie } = specimen("passport", 3, ...small);
    const picture = await arranged(
      browser,
      selfie,
      join(results, "fixtures", `face-${what}.jpg`.replaceAll(" ", "-")),
      places,
    );
    await at("selfie-intro", picture, async (visit) => {
      await open(visit);
      await says(visit.page, words);
      await visit.page.waitForTimeout(2500);
      expect(await visit.page.locator("video").count()).toBe(1);
    });
  });

  it("takes a face with the keyboard where nothing is taken by itself", () =>
    at(
      "selfie-intro",
      specimen("passport", 3, ...small).selfie,
      async (visit) => {
        const { page } = visit;
        await open(visit);
        await says(page, /oval/);
        await strike(page, "Take the picture");
        await page.getByRole("heading", { name: /sharp and well lit/ }).waitFor();
      },
      "delete globalThis.OffscreenCanvas",
    ));

  it("tells a screen reader one thing at a time, and nothing again while nothing changes", () =>
    at("passport-intro", specimen("passport", 70, "-camera", "hard", "-trouble", "small page").front, async (visit) => {
      const { page } = visit;
      await open(visit);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Camera picture");
      await says(page, /Come closer/);
      const before = await told(page);
      expect(before.at(-1)).toBe("Come closer");
      await page.waitForTimeout(2500);
      expect(await told(page)).toEqual(before);
      for (const [trouble, words] of [
        ["low light", "It is too dark here. Find more light"],
        ["", "Good. Hold still …"],
      ] as const) {
        const more = trouble ? ["-camera", "hard", "-trouble", trouble] : small;
        camera.show(specimen("passport", trouble ? 70 : 3, ...more).front);
        // Where the file changes under it, the camera that runs may end before it is left: then it is asked for again.
        await page.getByRole("button", { name: /^(Switch the camera|Try again)$/ }).click();
        await expect.poll(async () => (await told(page)).includes(words), { timeout: 30_000 }).toBe(true);
      }
      await taken(page);
      const heard = await told(page);
      expect(heard.filter((words, i) => words === heard[i - 1])).toEqual([]);
      expect(heard.length).toBeLessThan(20); // ten frames a second are judged
    }));

  it.each([
    ["the worker cannot load", "globalThis.Worker = class { constructor() { throw new Error('no worker'); } }"],
    ["the browser is too old for it", "delete globalThis.OffscreenCanvas"],
  ])("leaves everything to the button where %s", (_, before) =>
    at(
      "passport-intro",
      specimen("passport", 3, ...small).front,
      async (visit) => {
        const { page } = visit;
        await open(visit);
        await says(page, /code lines/);
        await page.waitForTimeout(2500);
        await page.getByRole("button", { name: "Take the picture" }).click();
        await taken(page);
      },
      before,
    ),
  );

  it("waits longer after a picture was put aside, and stops the camera when it is left", () =>
    at("passport-intro", specimen("passport", 3, ...small).front, async (visit) => {
      const { page } = visit;
      await open(visit);
      await taken(page);
      await page.getByRole("button", { name: "Take it again" }).click();
      await page.locator("video").waitFor();
      const began = Date.now();
      await says(page, /Hold still/);
      const held = await page.evaluateHandle(() => document.querySelector("video")?.srcObject);
      expect(await tracks(page)).toEqual(["live"]);
      await taken(page);
      expect(Date.now() - began).toBeGreaterThan(2000);
      const states = await held.evaluate((stream) =>
        stream instanceof MediaStream ? stream.getTracks().map((track) => track.readyState) : [],
      );
      expect(states).toEqual(["ended"]);
    }));
});

import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { applicantStates } from "./states/applicant.ts";
import { answer } from "./states/state.ts";
import { arranged } from "./support/crop.ts";
import { results, specimen } from "./support/fixtures.ts";
import { strike } from "./support/keys.ts";
import { played } from "./support/states.ts";
import { type Open, test } from "./support/test.ts";
import { listen, told } from "./support/told.ts";

// Guidance in real Chromium: what lies before the camera is found, judged and taken by itself; nothing is sent meanwhile;
// and without guidance the button does what it always did.
const small = ["-width", "1600", "-height", "1200"];

type Visit = { page: Page; calls: string[]; complaints: string[] };

/** Counts what the guidance's worker says it has seen. */
const counting = `globalThis.judged = 0;
globalThis.Worker = class extends globalThis.Worker {
  constructor(...how) {
    super(...how);
    this.addEventListener("message", ({ data }) => { if (data.type === "seen") globalThis.judged++; });
  }
};`;

/** Opens a step of the flow. `before` runs before the page's own script. */
async function at(open: Open, url: string, name: string, before = ""): Promise<Visit> {
  const state = applicantStates.find((one) => one.name === name);
  if (!state) throw new Error(`no state ${name}`);
  const { page } = await open();
  const [calls, complaints]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await listen(page);
  await page.addInitScript(`${state.before ?? ""};${counting};${before}`);
  await answer(page, state.api);
  await page.goto(url + state.path);
  page.on("request", (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return { page, calls, complaints };
}

const start = async ({ page }: Visit) => page.getByRole("button", { name: "Open the camera" }).click();
const says = (page: Page, words: RegExp) => page.getByRole("status").filter({ hasText: words }).waitFor();
const taken = (page: Page) => page.getByRole("heading", { name: "Can you read every line?" }).waitFor();
const tracks = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector("video");
    const stream = video?.srcObject;
    return stream instanceof MediaStream ? stream.getTracks().map((track) => track.readyState) : [];
  });

/** How many more frames the worker judges in the time in which it would have taken a picture by itself: the 2.5 seconds of ten a second. */
const enough = 25;

/** Waits until guidance has judged enough frames more. */
async function judged(page: Page): Promise<void> {
  const count = () => page.evaluate(() => Number(Reflect.get(globalThis, "judged")));
  const before = await count();
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + enough);
}

const sentPictures = ({ calls }: Visit) => calls.filter((call) => /\/v1\//.test(call) && !call.startsWith("GET"));
const passport = () => specimen("passport", 3, ...small);
const troubled = (trouble: string) => specimen("passport", 70, "-camera", "hard", "-trouble", trouble).front;

test.describe("guidance before the camera", () => {
  for (const [what, state, picture] of [
    ["a passport's page", "passport-intro", () => passport().front],
    ["a card's front", "card-intro", () => specimen("id_card", 3, ...small).front],
    [
      "a card's back",
      "back-intro",
      () => specimen("id_card", 1, "-face", "cedar", "-width", "2560", "-height", "1920").back,
    ],
  ] as const)
    test(`takes ${what} by itself, and sends nothing for it`, {
      tag: state === "passport-intro" ? [] : "@nightly",
    }, async ({ open, site, camera }) => {
      camera.show(picture());
      const visit = await at(open, site.url, state);
      await start(visit);
      await taken(visit.page);
      const image = visit.page.getByRole("img", { name: "The photo of your document" });
      expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThanOrEqual(1200);
      expect(sentPictures(visit)).toEqual([]);
      expect(visit.complaints).toEqual([]);
    });

  for (const [what, trouble, words] of [
    ["a page that is far away", "small page", /Come closer/],
    ["a page in the dark", "low light", /too dark/],
  ] as const)
    test(`does not take ${what}, and says what to do`, { tag: "@nightly" }, async ({ open, site, camera }) => {
      camera.show(troubled(trouble));
      const visit = await at(open, site.url, "passport-intro");
      await start(visit);
      await says(visit.page, words);
      await judged(visit.page);
      expect(await visit.page.locator("video").count()).toBe(1);
      expect(visit.complaints).toEqual([]);
    });

  test("does not take a face for a document, and shows how to go on after a while", { tag: "@nightly" }, async ({
    open,
    site,
    camera,
  }) => {
    camera.show(passport().selfie);
    const visit = await at(open, site.url, "card-intro");
    await start(visit);
    await says(visit.page, /press the button yourself/);
    await visit.page.getByRole("button", { name: "Take the picture" }).click();
    await taken(visit.page);
    expect(visit.complaints).toEqual([]);
  });

  test("takes a face by itself that fills the oval", async ({ open, site, camera }) => {
    camera.show(passport().selfie);
    const visit = await at(open, site.url, "selfie-intro");
    await start(visit);
    await visit.page.getByRole("heading", { name: /sharp and well lit/ }).waitFor();
    expect(sentPictures(visit)).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  for (const [what, places, words] of [
    ["far away", [{ x: 430, y: 322, width: 740 }], /Come closer/],
    ["beside another", [20, 820].map((x) => ({ x, y: 315, width: 760 })), /Only you/],
  ] as const)
    test(`does not take a face that is ${what}, and says what to do`, { tag: "@nightly" }, async ({
      browser,
      open,
      site,
      camera,
    }) => {
      const to = join(results, "fixtures", `face-${what}.jpg`.replaceAll(" ", "-"));
      camera.show(await arranged(browser, passport().selfie, to, places));
      const visit = await at(open, site.url, "selfie-intro");
      await start(visit);
      await says(visit.page, words);
      await judged(visit.page);
      expect(await visit.page.locator("video").count()).toBe(1);
      expect(visit.complaints).toEqual([]);
    });

  test("takes a face with the keyboard where nothing is taken by itself", { tag: "@nightly" }, async ({
    open,
    site,
    camera,
  }) => {
    camera.show(passport().selfie);
    const visit = await at(open, site.url, "selfie-intro", "delete globalThis.OffscreenCanvas");
    await start(visit);
    await says(visit.page, /oval/);
    await strike(visit.page, "Take the picture");
    await visit.page.getByRole("heading", { name: /sharp and well lit/ }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test("tells a screen reader one thing at a time, and nothing again while nothing changes", async ({
    open,
    site,
    camera,
  }) => {
    camera.show(troubled("small page"));
    const visit = await at(open, site.url, "passport-intro");
    const { page } = visit;
    await start(visit);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Camera picture");
    await says(page, /Come closer/);
    const before = await told(page);
    expect(before.at(-1)).toBe("Come closer");
    await judged(page);
    expect(await told(page)).toEqual(before);
    for (const [trouble, words] of [
      ["low light", "It's too dark here. Find more light"],
      ["", "Good. Hold still…"],
    ] as const) {
      camera.show(trouble ? troubled(trouble) : passport().front);
      // Where the file changes under it, the camera that runs may end before it is left: then it is asked for again.
      await page.getByRole("button", { name: /^(Switch camera|Try again)$/ }).click();
      await expect.poll(async () => (await told(page)).includes(words), { timeout: 30_000 }).toBe(true);
    }
    await taken(page);
    const heard = await told(page);
    expect(heard.filter((words, i) => words === heard[i - 1])).toEqual([]);
    expect(heard.length).toBeLessThan(20); // ten frames a second are judged
    expect(visit.complaints).toEqual([]);
  });

  for (const [where, before] of [
    ["the worker cannot load", "globalThis.Worker = class { constructor() { throw new Error('no worker'); } }"],
    ["the browser is too old for it", "delete globalThis.OffscreenCanvas"],
  ] as const)
    test(`leaves everything to the button where ${where}`, { tag: "@nightly" }, async ({ open, site, camera }) => {
      camera.show(passport().front);
      const visit = await at(open, site.url, "passport-intro", before);
      await start(visit);
      await says(visit.page, /lines of code/);
      await played(visit.page, 2.5); // in which guidance would have taken it
      await visit.page.getByRole("button", { name: "Take the picture" }).click();
      await taken(visit.page);
      expect(visit.complaints).toEqual([]);
    });

  test("waits longer after a picture was put aside, and stops the camera when it is left", { tag: "@nightly" }, async ({
    open,
    site,
    camera,
  }) => {
    camera.show(passport().front);
    const visit = await at(open, site.url, "passport-intro");
    const { page } = visit;
    await start(visit);
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
    expect(visit.complaints).toEqual([]);
  });
});

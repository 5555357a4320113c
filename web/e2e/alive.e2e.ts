import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import type { Challenge } from "../src/api/wire.ts";
import { keepAttempt, keepTable, type Line } from "./support/attacks.ts";
import { filmed, launch, nightly } from "./support/browser.ts";
import { pickCountry } from "./support/country.ts";
import { writeFilm } from "./support/film.ts";
import { generate, repoRoot, results, specimen } from "./support/fixtures.ts";
import { strike, tabTo, tabToField } from "./support/keys.ts";
import type { Server } from "./support/server.ts";
import { played, playing } from "./support/states.ts";
import { Strip } from "./support/strip.ts";
import { type Open, test } from "./support/test.ts";

// A person before the camera who follows the challenge, with the real server and the real models: the film of the head is
// made when the challenge is known, because nobody can know it before. The browser is its own, for its camera plays films (.y4m).
const folder = join(results, "alive");
const camera = join(folder, "camera.y4m");
const lead = 6; // seconds that the head is held straight before the run begins
const late = 0.3; // seconds by which a person follows what they see
const holder = "1"; // the seed of somebody who holds the phone so far away that the head is in the oval: in that of 3 it is a quarter too large

let server: Server;
let browser: Browser;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  browser = await launch(filmed(camera));
});

test.beforeEach(({ server: shared }) => {
  server = shared;
});

test.afterAll(async () => {
  keepTable();
  await browser?.close();
});

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${server.apiKey}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json();
}

/** Films a head that does what the challenge asks. */
async function film(challenge: Challenge, name: string, ...flags: string[]): Promise<void> {
  const dir = join(folder, name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const asked = join(dir, "challenge.json");
  writeFileSync(asked, JSON.stringify(challenge));
  generate("-answer", asked, "-face", "alder", "-seed", holder, "-frames", "88", "-out", dir, ...flags);
  const times: number[] = JSON.parse(readFileSync(join(dir, "times.json"), "utf8"));
  const shown = times.map((time, i) => ({
    at: i === 0 ? 0 : lead * 1000 + time,
    picture: join(dir, `${String(i).padStart(3, "0")}.jpg`),
  }));
  await writeFilm(browser, camera, shown, { seconds: lead + challenge.duration_ms / 1000 + 4, rate: 8 });
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp, timeout = 90_000) =>
  page.getByRole("heading", { name }).waitFor({ timeout });

const passport = () => specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440");

/** A session, and the challenge that its page is given in time. */
async function opened(
  page: Page,
  reference: string,
): Promise<{ id: string; url: string; asked: () => Promise<Challenge> }> {
  let challenge: Challenge | undefined;
  page.on("response", async (response) => {
    if (!/\/v1\/applicant\/(task|steps|liveness)/.test(response.url()) || !response.ok()) return;
    const body = await response.json().catch(() => null);
    if (body?.challenge) challenge = body.challenge;
  });
  const session = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "liveness" });
  const asked = async () => {
    await expect.poll(() => challenge !== undefined).toBe(true);
    if (!challenge) throw new Error("no challenge");
    return challenge;
  };
  return { id: String(session.id), url: String(session.url), asked };
}

/** From the link to the step that proves a live person; answers its challenge. */
async function begin(page: Page, reference: string): Promise<{ id: string; challenge: Challenge }> {
  const { id, url, asked } = await opened(page, reference);
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, /Passport/);
  await heading(page, /photo page/);
  await page.locator('input[type="file"]').setInputFiles(passport().front);
  await press(page, "Use this picture");
  await heading(page, "Now show that you are there");
  return { id, challenge: await asked() };
}

/** The same without a pointer, and with the camera for the document, which takes it by itself. */
async function beginByKeyboard(page: Page, strip: Strip): Promise<{ id: string; challenge: Challenge }> {
  const { id, url, asked } = await opened(page, "alive");
  await writeFilm(browser, camera, [{ at: 0, picture: passport().front }], { seconds: 0.5, rate: 10 });
  await page.goto(url);
  await heading(page, /confirm who you are/);
  await strip.add(page, "What is asked, and why");
  await strike(page, "Start");
  await heading(page, /compare your face/);
  await strip.add(page, "Consent");
  await strike(page, "I agree", "Space");
  await heading(page, "Which country");
  await tabToField(page, "Country or organisation");
  await page.keyboard.type("uto");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "Utopia", selected: true }).waitFor();
  await strip.add(page, "Which country");
  await page.keyboard.press("Enter");
  await heading(page, "Which document");
  await strip.add(page, "Which document");
  await strike(page, /Passport/);
  await heading(page, /photo page/);
  await strip.add(page, "What right looks like");
  await strike(page, "Open the camera", "Space");
  await playing(page);
  await page.getByText("Good. Hold still").waitFor(); // it is told what it sees, and takes the picture in a moment
  await strip.add(page, "Taken by itself");
  await heading(page, "Can you read every line?");
  await strip.add(page, "A look at it");
  await strike(page, "Use this picture");
  await heading(page, "Now show that you are there");
  await strip.add(page, "A live person");
  return { id, challenge: await asked() };
}

/** Waits for the moment of the film at which the head begins. */
const filmBegins = (page: Page) =>
  page.waitForFunction((at) => (document.querySelector("video")?.currentTime ?? 0) >= at, lead - late, {
    polling: 20,
    timeout: 30_000,
  });

/** Begins the run at the moment of the film at which the head does. */
async function run(page: Page): Promise<void> {
  await press(page, "Open the camera");
  await page.getByRole("button", { name: "I am ready" }).waitFor();
  await playing(page);
  await filmBegins(page);
  await press(page, "I am ready");
}

/** What came of an attack: what the session is, what a reviewer reads, and that the screen does not teach how to pass. */
async function refused(page: Page, id: string, what: Line): Promise<void> {
  await heading(page, /show that you are there|person is looking|cannot verify/);
  expect(await page.getByText("You are verified").count()).toBe(0);
  expect(await page.getByText(/flat|photo of|replay|another face|two faces/i).count()).toBe(0);
  const { state } = await call("GET", `/v1/sessions/${id}`);
  expect(["capturing", "in_review", "declined"]).toContain(state);
  const { decisions } = await call("GET", `/v1/sessions/${id}/report`);
  const kept = new Set(JSON.stringify(decisions ?? []).match(/"[a-z]+\.[a-z_]+"/g) ?? []);
  keepAttempt({
    what,
    outcome: state === "capturing" ? "asked again" : String(state).replace("_", " "),
    reasons: [...kept].map((code) => code.replaceAll('"', "")),
  });
}

/** A person's phone, whose camera plays the film. */
const phone = (open: Open): Promise<Page> => open("phone", { from: browser }).then(({ page }) => page);

test.describe("the liveness challenge before the camera", () => {
  test("a person who follows it without a pointer, by Tab, Enter and Space, is approved, and nothing is said to be unproved", async ({
    open,
  }) => {
    const page = await phone(open);
    const strip = new Strip(
      join(repoRoot, nightly && process.env.UPDATE_DOCS ? "docs" : "build/e2e", "film-strip.webp"),
    );
    const { id, challenge } = await beginByKeyboard(page, strip);
    await film(challenge, "followed");
    await strike(page, "Open the camera");
    await playing(page);
    await page.getByText("Your face is in the oval").waitFor({ timeout: 60_000 });
    await strip.add(page, "Face in the oval");
    await tabTo(page, "I am ready");
    await filmBegins(page);
    await page.keyboard.press("Enter");
    const [first] = challenge.prompts;
    if (first) {
      await played(page, (first.at_ms + first.for_ms / 2) / 1000);
      await strip.add(page, "The server’s movements"); // one: a busy machine drops frames for each
    }
    await heading(page, /checking your pictures|You are verified/);
    await strip.add(page, "Sent is not verified");
    await heading(page, /You are verified|show that you are there|person is looking/);
    await strip.add(page, "Verified");
    const report = await call("GET", `/v1/sessions/${id}/report`);
    writeFileSync(join(folder, "report.json"), JSON.stringify(report, null, 2)); // to look at when it fails
    writeFileSync(join(folder, "server.log"), server.log());
    expect(report.decisions).toMatchObject([{ outcome: "approved", reasons: [] }]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("You are verified");
    expect(await page.getByText("live-person challenge").count()).toBe(0);
    expect(await call("GET", `/v1/sessions/${id}`)).toMatchObject({ state: "approved", outcome: "approved" });
    await strip.write(browser);
    keepAttempt({ what: "the right person, who follows it", outcome: "approved", reasons: [] });
  });

  test("a still photo held up is not approved, and the reason does not teach how to pass", async ({ open }) => {
    const page = await phone(open);
    const { id } = await begin(page, "still");
    const { selfie } = passport();
    await writeFilm(browser, camera, [{ at: 0, picture: selfie }], { seconds: 0.3, rate: 8 });
    await press(page, "Open the camera");
    await press(page, "I am ready");
    await refused(page, id, "a still photo");
  });

  for (const [what, how] of [
    ["a photo that is moved as the prompts say", "moved"],
    ["the right person on video, doing another challenge", "other order"],
    ["the right person at rest, and another who moves", "others moves"],
    ["the right person first, then another", "two persons"],
  ] as const)
    test(`${what} is not approved`, { tag: "@nightly" }, async ({ open }) => {
      const page = await phone(open);
      const { id, challenge } = await begin(page, how);
      await film(challenge, how.replaceAll(" ", "-"), "-attack", how);
      await run(page);
      await refused(page, id, what);
    });

  test("who cannot turn the head gives one picture, and a person decides", { tag: "@nightly" }, async ({ open }) => {
    const page = await phone(open);
    const { id } = await begin(page, "person");
    await press(page, "I cannot do this");
    await press(page, /One picture/);
    await heading(page, /picture of your face/);
    await page
      .locator('input[type="file"]')
      .setInputFiles(specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440").selfie);
    await press(page, "Use this picture");
    await heading(page, "A person is looking at it");
    expect(await call("GET", `/v1/sessions/${id}`)).toMatchObject({ state: "in_review", outcome: "referred" });
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { Challenge } from "../src/api/wire.ts";
import { keepAttempt, keepTable, type Line } from "./support/attacks.ts";
import { nightly } from "./support/browser.ts";
import { countryField } from "./support/country.ts";
import { Filming, heading, passport, press } from "./support/filming.ts";
import { repoRoot, specimen } from "./support/fixtures.ts";
import { strike, tabTo, tabToField } from "./support/keys.ts";
import type { Server } from "./support/server.ts";
import { played, playing } from "./support/states.ts";
import { Strip } from "./support/strip.ts";
import { type Open, test } from "./support/test.ts";

// A person before the camera who follows the challenge, with the real server and the real models.
let server: Server;
let filming: Filming;

test.beforeAll(async () => {
  filming = await Filming.start("alive", () => server);
});

test.beforeEach(({ server: shared }) => {
  server = shared;
});

test.afterAll(async () => {
  keepTable();
  await filming?.close();
});

/** The same without a pointer, and with the camera for the document, which takes it by itself. */
async function beginByKeyboard(page: Page, strip: Strip): Promise<{ id: string; challenge: Challenge }> {
  const { id, url, asked } = await filming.opened(page, "alive");
  filming.show(passport().front, 10);
  await page.goto(url);
  await heading(page, /Verify your identity/);
  await strip.add(page, "What is asked, and why");
  await strike(page, "Start");
  await heading(page, /compare your face/);
  await strip.add(page, "Consent");
  await strike(page, "I agree", "Space");
  await heading(page, "Which document");
  await strip.add(page, "Which document");
  await strike(page, "Change");
  await tabToField(page, countryField); // it has the focus
  await page.keyboard.type("uto");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "Utopia", selected: true }).waitFor();
  await strip.add(page, "Which country");
  await page.keyboard.press("Enter");
  await page.getByText("Issued by: Utopia").waitFor();
  await strike(page, /Passport/);
  await heading(page, /photo page/);
  await strip.add(page, "What right looks like");
  await strike(page, "Open the camera", "Space");
  await playing(page);
  await page.getByText("Good. Hold still").waitFor(); // it is told what it sees, and takes the picture in a moment
  await strip.add(page, "Taken by itself");
  await heading(page, "Can you read every line?");
  await strip.add(page, "A look at it");
  await strike(page, "Use this photo");
  await heading(page, "Quick check that it's really you");
  await strip.add(page, "A live person");
  return { id, challenge: await asked() };
}

/** What came of an attack: what the session is, what a reviewer reads, and that the screen does not teach how to pass. */
async function refused(page: Page, id: string, what: Line): Promise<void> {
  await heading(page, /really you|is reviewing your documents|couldn't verify/);
  expect(await page.getByText("You are verified").count()).toBe(0);
  expect(await page.getByText(/flat|photo of|replay|another face|two faces/i).count()).toBe(0);
  const { state } = await filming.call("GET", `/v1/sessions/${id}`);
  expect(["capturing", "in_review", "declined"]).toContain(state);
  const { decisions } = await filming.call("GET", `/v1/sessions/${id}/report`);
  const kept = new Set(JSON.stringify(decisions ?? []).match(/"[a-z]+\.[a-z_]+"/g) ?? []);
  keepAttempt({
    what,
    outcome: state === "capturing" ? "asked again" : String(state).replace("_", " "),
    reasons: [...kept].map((code) => code.replaceAll('"', "")),
  });
}

/** A person's phone, whose camera plays the film. */
const phone = (open: Open): Promise<Page> => open("phone", { from: filming.browser }).then(({ page }) => page);

test.describe("the liveness challenge before the camera", () => {
  test("a person who follows it without a pointer, by Tab, Enter and Space, is approved, and nothing is said to be unproved", async ({
    open,
  }) => {
    const page = await phone(open);
    const strip = new Strip(join(repoRoot, process.env.UPDATE_DOCS ? "docs" : "build/e2e", "film-strip.webp"));
    const { id, challenge } = await beginByKeyboard(page, strip);
    filming.film(challenge, "followed");
    await strike(page, "Open the camera");
    await playing(page);
    await page.getByText("Your face is in the oval").waitFor({ timeout: 60_000 });
    await strip.add(page, "Face in the oval");
    await tabTo(page, "I am ready");
    await filming.filmBegins(page);
    await page.keyboard.press("Enter");
    const [first] = challenge.prompts;
    if (nightly && first) {
      await played(page, (first.at_ms + first.for_ms / 2) / 1000);
      await strip.add(page, "The server’s movements"); // one: a busy machine drops frames for each
    }
    await heading(page, /checking your photos|You are verified/);
    await strip.add(page, "Sent is not verified");
    await heading(page, /You are verified|really you|is reviewing your documents/);
    await strip.add(page, "Verified");
    const report = await filming.call("GET", `/v1/sessions/${id}/report`);
    writeFileSync(join(filming.folder, "report.json"), JSON.stringify(report, null, 2)); // to look at when it fails
    writeFileSync(join(filming.folder, "server.log"), server.log());
    expect(report.decisions).toMatchObject([{ outcome: "approved", reasons: [] }]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("You are verified");
    expect(await page.getByText("live-person challenge").count()).toBe(0);
    expect(await filming.call("GET", `/v1/sessions/${id}`)).toMatchObject({ state: "approved", outcome: "approved" });
    await strip.write(filming.browser);
    keepAttempt({ what: "the right person, who follows it", outcome: "approved", reasons: [] });
  });

  test("a still photo held up is not approved, and the reason does not teach how to pass", { tag: "@nightly" }, async ({
    open,
  }) => {
    const page = await phone(open);
    const { id } = await filming.begin(page, "still");
    const { selfie } = passport();
    filming.show(selfie);
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
      const { id, challenge } = await filming.begin(page, how);
      filming.film(challenge, how.replaceAll(" ", "-"), "-attack", how);
      await filming.run(page);
      await refused(page, id, what);
    });

  test("who cannot turn the head gives one picture, and a person decides", { tag: "@nightly" }, async ({ open }) => {
    const page = await phone(open);
    const { id } = await filming.begin(page, "person");
    await press(page, "Other options");
    await press(page, /One photo/);
    await heading(page, /photo of your face/);
    await page
      .locator('input[type="file"]')
      .setInputFiles(specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440").selfie);
    await press(page, "Use this photo");
    await heading(page, "Someone is reviewing your documents");
    expect(await filming.call("GET", `/v1/sessions/${id}`)).toMatchObject({ state: "in_review", outcome: "referred" });
  });
});

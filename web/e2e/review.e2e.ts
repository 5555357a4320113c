import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violations } from "./support/axe.ts";
import { launch, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { fakeCamera, results, specimen } from "./support/fixtures.ts";
import { setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";

// What becomes of a referred session, with the real server and the real models: the queue, the keys, the decision, and what
// the applicant sees of it. Things are found by role and label only.
const folder = join(results, "review");
const tablet = { width: 1280, height: 800 };

let server: Server;
let browser: Browser;
let desk: BrowserContext;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  [server, browser] = await Promise.all([serve(), launch(fakeCamera("review").path)]);
  desk = await browser.newContext({ viewport: sizes.desktop, locale: "en-GB", reducedMotion: "reduce" });
  const page = await desk.newPage();
  await setUp(page, server.setupLink);
  await page.getByRole("link", { name: /Review queue/ }).waitFor();
  await page.close();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });

const call = caller(() => server);

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this picture");
}

const doubtful = () =>
  specimen("passport", 3, "-face", "alder", "-variant", "doubtful", "-width", "1920", "-height", "1440");

/** Somebody whose session was referred, still before their screen. */
async function referred(reference: string): Promise<{ id: string; person: Page; leave: () => Promise<void> }> {
  const session = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });
  const context = await browser.newContext({ viewport: sizes.phone, locale: "en-GB", reducedMotion: "reduce" });
  const person = await context.newPage();
  const { front, selfie } = doubtful();
  await person.goto(session.url);
  await press(person, "Start");
  await press(person, "I agree");
  await pickCountry(person);
  await press(person, /Passport/);
  await send(person, front);
  await heading(person, /picture of your face/);
  await send(person, selfie);
  await heading(person, "A person is looking at it");
  return { id: session.id, person, leave: () => context.close() };
}

/** A reviewer's tab; when their part fails, what they saw is kept. */
async function review(name: string, part: (page: Page) => Promise<void>): Promise<void> {
  const page = await desk.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(`${server.url}/console/cases`);
    await part(page);
    expect(complaints).toEqual([]);
  } catch (error) {
    await page.screenshot({ path: join(folder, `FAILED-${name}.png`) });
    throw error;
  } finally {
    await page.close();
  }
}

async function looks(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop: sizes.desktop, tablet })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${name}.${size}.${colorScheme}.png`) });
      expect(await violations(page)).toEqual([]);
    }
  }
  await page.setViewportSize(sizes.desktop);
}

/** A new member's browser. */
async function joined(name: string, email: string, role: string): Promise<BrowserContext> {
  const page = await desk.newPage();
  await page.goto(`${server.url}/console/settings/team`);
  await press(page, "Invite somebody");
  await page.getByLabel("Their e-mail").fill(email);
  if (role !== "Reviewer") {
    await page.getByRole("checkbox", { name: "Reviewer", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: role, exact: true }).check();
  }
  await press(page, "Make the link");
  const link = await page.getByLabel("Link for them").inputValue();
  await page.close();
  const context = await browser.newContext({ viewport: sizes.desktop, locale: "en-GB", reducedMotion: "reduce" });
  const theirs = await context.newPage();
  await theirs.goto(link);
  await theirs.getByLabel("Your name").fill(name);
  await theirs.getByLabel("Password", { exact: true }).fill("another long sentence to sign in with");
  await press(theirs, "Join");
  await theirs.getByRole("link", { name: /Review queue/ }).waitFor();
  await theirs.close();
  return context;
}

const state = async (id: string): Promise<string> => (await call("GET", `/v1/sessions/${id}`)).state;

describe("a referred session", () => {
  it("comes to the queue by itself, is claimed and approved by keys alone, and the applicant's screen says verified", async () => {
    await review("approve", async (page) => {
      await page.getByText("Nobody waits").waitFor();
      const { id, person, leave } = await referred("to-approve");
      await page.getByRole("link", { name: /to-approve/ }).waitFor(); // without a reload
      await looks(page, "queue");
      await page.keyboard.press("j");
      await page.getByText("You have this case until").waitFor();
      await page
        .getByRole("img", { name: "Selfie as it was sent" })
        .or(page.getByRole("img", { name: "Front as it was sent" }))
        .first()
        .waitFor();
      await page.waitForTimeout(800);
      await looks(page, "case");
      await page.keyboard.press("n");
      await page.getByRole("textbox", { name: "Note" }).fill("Same ears, same scar.");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Same ears, same scar.").waitFor();
      await page.keyboard.press("a");
      await page.getByText(/Approving in \d s/).waitFor();
      await page.keyboard.press("u");
      await page.getByRole("button", { name: "Approve" }).waitFor();
      expect(await state(id)).toBe("in_review"); // it was taken back
      await page.keyboard.press("a");
      await page.getByText("You approved it.").waitFor({ timeout: 20_000 });
      await heading(person, "You are verified");
      expect(await person.getByText("scar").count()).toBe(0);
      expect(await state(id)).toBe("approved");
      await page.keyboard.press("j");
      await page.getByText("Nothing is left that you may decide.").waitFor();
      await leave();
    });
  });

  it("is declined with a reason that is searched for, which the applicant is told in their own words", async () => {
    const { id, person, leave } = await referred("to-decline");
    await review("decline", async (page) => {
      await page.getByRole("link", { name: /to-decline/ }).click();
      await page.getByText("Nobody has this case.").waitFor();
      await page.keyboard.press("d");
      await press(page, /^Decline$/);
      await page.getByRole("alert").getByText("Choose at least one reason.").waitFor();
      await page.getByLabel("Search reasons").fill("does not look");
      await page.getByLabel("Search reasons").fill("face.mismatch");
      await page.keyboard.press("Enter");
      await page.getByText("1 reason", { exact: true }).waitFor();
      await page.screenshot({ path: join(folder, "decline.png") });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Control+Enter");
      await page.getByText(/Declining in \d s/).waitFor();
      await page.getByText("You declined it.").waitFor({ timeout: 20_000 });
    });
    await heading(person, "We cannot verify you with this");
    expect(await state(id)).toBe("declined");
    await leave();
  });

  it("is reopened for exactly one step, and the browser that waits goes on with it", async () => {
    const { id, person, leave } = await referred("to-redo");
    await review("redo", async (page) => {
      await page.getByRole("link", { name: /to-redo/ }).click();
      await page.getByText("Nobody has this case.").waitFor();
      await page.keyboard.press("r");
      await page.getByRole("radio", { name: "Selfie" }).check();
      await page.getByLabel("What the applicant is told").selectOption({ value: "capture.dark" });
      await page.screenshot({ path: join(folder, "redo.png") });
      await press(page, "Ask again");
      await page.getByText(/Asking again in \d s/).waitFor();
      await page.getByText("You asked the applicant for a step again.").waitFor({ timeout: 20_000 });
    });
    await heading(person, /Let us try that again|picture of your face/);
    await person.getByText("dark").first().waitFor();
    await person.screenshot({ path: join(folder, "redo-person.png") });
    expect(await state(id)).toBe("capturing");
    await send(person, specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440").selfie);
    await heading(person, /verified|A person is looking at it/);
    await leave();
  });

  it("is decided once: the second browser is told what happened and overwrites nothing", async () => {
    const { id, leave } = await referred("to-race");
    await review("race", async (first) => {
      await first.getByRole("link", { name: /to-race/ }).click();
      await first.getByText("Nobody has this case.").waitFor();
      const second = await desk.newPage();
      await second.goto(first.url());
      await second.getByText("Nobody has this case.").waitFor();
      await first.keyboard.press("a");
      await second.keyboard.press("d");
      await second.getByLabel("Search reasons").fill("face.mismatch");
      await second.keyboard.press("Enter");
      await second.keyboard.press("Control+Enter");
      await first.getByText("You approved it.").waitFor({ timeout: 20_000 });
      await second.getByText("Something came first.").waitFor({ timeout: 20_000 });
      await second.getByText("You approved it meanwhile. Nothing of yours was sent.").waitFor();
      await second.screenshot({ path: join(folder, "conflict.png") });
      expect(await violations(second)).toEqual([]);
      await second.close();
    });
    const { decisions } = await call("GET", `/v1/sessions/${id}/report`);
    expect(decisions?.map(({ outcome }) => outcome)).toEqual(["approved", "referred"]);
    await leave();
  });

  it("is given to a colleague by name and keys, and both see it at once without a reload", async () => {
    const { leave } = await referred("to-give");
    const zofia = await joined("Zofia Nowak", "zofia@bank.example", "Reviewer");
    const ravi = await joined("Ravi Sen", "ravi@bank.example", "Auditor");
    const theirs = await zofia.newPage();
    await theirs.goto(`${server.url}/console/cases?tab=mine`);
    await theirs.getByText("You have no case").waitFor();
    await review("assign", async (page) => {
      const row = page.getByRole("row", { name: /to-give/ });
      await row.getByRole("button", { name: "Give to … (case to-give)" }).press("Enter");
      const field = page.getByRole("combobox", { name: "Search members who may decide it" });
      await page.getByRole("option", { name: "Zofia Nowak" }).waitFor();
      expect(await page.getByRole("option").allInnerTexts()).toEqual([expect.stringContaining("Ida"), "Zofia Nowak"]);
      await field.fill("nobody");
      await page.getByText("Nobody by that name may decide this case.").waitFor();
      await field.fill("zof");
      await looks(page, "assign");
      await page.keyboard.press("Enter");
      await page.goto(`${server.url}/console/cases?tab=all`);
      await row.getByText("Zofia Nowak").waitFor();
      // The other browser was told by the server.
      await theirs.getByRole("link", { name: /to-give/ }).click();
      await theirs.getByText("You have this case until").waitFor();
      expect(await theirs.getByRole("button", { name: /Give to/ }).count()).toBe(0); // a reviewer gives nothing away
      await theirs.keyboard.press("g");
      await theirs.getByText("Giving a case to somebody takes a senior reviewer or an owner.").waitFor();
      // An auditor looks on: masked, without pictures, and nothing is offered that they may not do.
      const looking = await ravi.newPage();
      await looking.goto(page.url());
      await looking.getByText("Personal data is masked.").waitFor();
      await looking.getByRole("link", { name: /••••ve/ }).click();
      await looking.getByText(/Zofia Nowak has this case until .* Your role looks on/).waitFor();
      for (const name of [/^Approve/, /^Claim/, /^Next case/, /^Give to/, "Download the case file"])
        expect(await looking.getByRole("button", { name }).count(), String(name)).toBe(0);
      await looking.getByText("Pictures were sent. Your role does not open them.").waitFor();
      expect(await looking.getByText("to-give").count()).toBe(0);
      await looking.screenshot({ path: join(folder, "auditor.png") });
      // And it is taken back while she looks at it.
      await page.getByRole("link", { name: /to-give/ }).click();
      await page.getByText("Zofia Nowak has this case until").waitFor();
      await page.keyboard.press("g");
      await page.getByRole("option", { name: /Ida/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.getByText("You have this case until").waitFor();
      await theirs.getByText("Ida Lindqvist has this case until").waitFor();
      await theirs.screenshot({ path: join(folder, "assign-theirs.png") });
      await page.keyboard.press("d");
      await page.getByLabel("Search reasons").fill("face.mismatch");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+Enter");
      await theirs.getByText("Ida Lindqvist declined it.").waitFor({ timeout: 20_000 });
    });
    await zofia.close();
    await ravi.close();
    await leave();
  });

  it("that was decided is decided anew by who may, and the newest counts", async () => {
    await review("appeal", async (page) => {
      await page.goto(`${server.url}/console/sessions?state=declined`);
      await page.getByRole("link", { name: /to-decline/ }).click();
      await press(page, "Change decision …");
      await page.getByRole("textbox", { name: "Note" }).fill("They came by with their passport.");
      await page.screenshot({ path: join(folder, "change.png") });
      await press(page, "Change the decision");
      await page.getByText("They came by with their passport.").first().waitFor();
      await page.getByText("Approved").first().waitFor();
    });
  });
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violations } from "./support/axe.ts";
import { launch, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { fakeCamera, results, specimen } from "./support/fixtures.ts";
import { owner, setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";

// The whole way with the real server and the real models: from the link to the verdict on the screen, in the API
// and in the console. Things are found by role and label only.
const camera = fakeCamera("journey");
const folder = join(results, "journey");

let server: Server;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  camera.show(specimen("passport", 3, "-face", "alder").front);
  [server, browser] = await Promise.all([serve(), launch(camera.path)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const call = caller(() => server);

// The selfie is one picture here: the liveness challenge has tests of its own.
const create = (reference: string) =>
  call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });

/** Runs a person's part in a browser of their own; when it fails, what they saw is kept. */
async function visit(name: string, size: keyof typeof sizes, part: (page: Page) => Promise<void>): Promise<void> {
  const { context, page, complaints } = await newPage(size);
  try {
    await part(page);
    expect(complaints).toEqual([]);
  } catch (error) {
    await page.screenshot({ path: join(folder, `FAILED-${name}.png`), fullPage: true });
    throw error;
  } finally {
    await context.close();
  }
}

async function newPage(
  size: keyof typeof sizes = "phone",
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: "en-GB",
    reducedMotion: "reduce",
    permissions: ["camera"],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  return { context, page, complaints };
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp, timeout = 60_000) =>
  page.getByRole("heading", { name }).waitFor({ timeout });

/** From the link to the choice of the document. */
async function begin(page: Page, url: string, kind = "Passport"): Promise<void> {
  await page.goto(url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, new RegExp(kind));
}

/** Holds a document or a face before the camera, which takes it by itself, and sends it. */
async function hold(page: Page, picture: string, question: string): Promise<void> {
  camera.show(picture);
  await press(page, /[Cc]amera/);
  await heading(page, question);
  await press(page, "Use this picture");
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this picture");
}

const shot = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });

const small = ["-width", "1920", "-height", "1440"];

describe("from the link to the verdict", () => {
  it("a specimen and its holder before the camera are approved on the screen, in the API and in the console", async () => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", ...small);
    const session = await create("approved-by-camera");
    await visit("approved", "phone", async (page) => {
      await begin(page, session.url);
      await heading(page, /photo page of your passport/);
      await hold(page, front, "Can you read every line?");
      await heading(page, /picture of your face/);
      await hold(page, selfie, "Is your face sharp and well lit?");
      await heading(page, /checking your pictures|verified/);
      await page.reload(); // what was sent survives a reload
      await heading(page, "You are verified");
      await page.getByText("live-person challenge").waitFor();
      await shot(page, "approved");
      expect(await violations(page)).toEqual([]);
    });

    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["approved", "approved"]);
    const { report, decisions } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(report?.notices).toContain("liveness_not_required");
    expect(decisions?.map(({ outcome }) => outcome)).toEqual(["approved"]);

    await visit("approved-console", "desktop", async (page) => {
      await setUp(page, server.setupLink);
      await page.getByRole("link", { name: /approved-by-camera/ }).click();
      await heading(page, "Facts by source");
      await page.getByRole("img", { name: "Front as it was sent" }).waitFor();
      await page.getByRole("img", { name: "Portrait on the document" }).waitFor();
      await page
        .getByRole("img", { name: /^Similarity/ })
        .first()
        .waitFor();
      expect(await page.getByText("Approved").count()).toBeGreaterThan(0);
      await page.waitForTimeout(1000); // the pictures come in
      await shot(page, "approved-console");
      expect(await violations(page)).toEqual([]);
    });
  });

  it("a picture that is too small asks for the step again, says why, and the next picture goes on", async () => {
    const session = await create("retry");
    await visit("retry", "phone", async (page) => {
      await begin(page, session.url);
      await send(page, specimen("passport", 3, "-face", "alder", "-width", "640", "-height", "480").front);
      await heading(page, "Let us try that again");
      await page.getByRole("alert").getByText("too small").waitFor();
      await page.getByText("2 tries left").waitFor();
      await shot(page, "retry");
      await send(page, specimen("passport", 3, "-face", "alder", ...small).front);
      await heading(page, /picture of your face/);
    });
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("capturing");
  });

  it("a face in the refer band goes to a person, and the screen does not call that verified", async () => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", "-variant", "doubtful", ...small);
    const session = await create("referred");
    await visit("referred", "phone", async (page) => {
      await begin(page, session.url);
      await send(page, front);
      await heading(page, /picture of your face/);
      await send(page, selfie);
      await heading(page, "A person is looking at it");
      expect(await page.getByText("You are verified").count()).toBe(0);
      await shot(page, "referred");
    });
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["in_review", "referred"]);
    const { decisions } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(decisions?.[0]?.reasons.map(({ code }) => code)).toContain("face.uncertain");
  });

  it("another person's face is asked for once more and then declined", async () => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", "-selfie-of", "birch", ...small);
    const session = await create("declined");
    await visit("declined", "phone", async (page) => {
      await begin(page, session.url);
      await send(page, front);
      await heading(page, /picture of your face/);
      await send(page, selfie);
      await heading(page, "Let us try that again");
      await page.getByText("does not look like").waitFor();
      await shot(page, "declined-once-more");
      await send(page, selfie);
      await heading(page, "We cannot verify you with this");
      await shot(page, "declined");
    });
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["declined", "declined"]);
  });

  it("an identity card asks for its back too and is approved", async () => {
    const { front, back, selfie } = specimen("id_card", 1, "-face", "cedar", "-width", "2560", "-height", "1920");
    const session = await create("identity-card");
    await visit("identity-card", "phone", async (page) => {
      await begin(page, session.url, "Identity card");
      await send(page, front);
      await heading(page, /back of your identity card/);
      await send(page, back);
      await heading(page, /picture of your face/);
      await send(page, selfie);
      await heading(page, "You are verified");
      await shot(page, "identity-card");
    });
  });

  it("declining consent stops at once and keeps nothing", async () => {
    const session = await create("no-consent");
    await visit("no-consent", "phone", async (page) => {
      await page.goto(session.url);
      await press(page, "Start");
      await press(page, "I do not agree");
      await heading(page, /did not agree/);
    });
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.last_problem?.code]).toEqual(["cancelled", "consent.declined"]);
  });

  it("stopping the check is asked twice and ends it", async () => {
    const session = await create("stopped");
    await visit("stopped", "phone", async (page) => {
      await begin(page, session.url);
      await press(page, "Stop the check");
      await press(page, "Go on with the check");
      await press(page, "Stop the check");
      await press(page, "Stop for good");
      await heading(page, "This verification was stopped");
    });
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("cancelled");
  });

  it("a link opened in one browser does not open in another, and looking at it changes nothing", async () => {
    const session = await create("elsewhere");
    await visit("elsewhere", "phone", async (page) => {
      await page.goto(session.url);
      await heading(page, /confirm who you are/);
      expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("created");
      await press(page, "Start");
      await heading(page, /compare your face/);
      await visit("elsewhere-second", "phone", async (second) => {
        await second.goto(session.url);
        await heading(second, /another browser/);
      });
      await page.goto(session.url); // the tab that opened it goes on
      await press(page, "Go on");
      await heading(page, /compare your face/);
    });
  });
});

describe("the console", () => {
  it("lets the owner sign in, filter, make a test session and watch it", async () => {
    await visit("console", "desktop", async (page) => {
      await page.goto(`${server.url}/console/sessions`);
      await page.getByLabel("E-mail").fill(owner.email);
      await page.getByLabel("Password", { exact: true }).fill("not the password at all");
      await press(page, "Sign in");
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(owner.password);
      await press(page, "Sign in");
      await page.getByRole("link", { name: /approved-by-camera/ }).waitFor();
      await page
        .getByRole("group", { name: "State" })
        .getByRole("button", { name: /In review/ })
        .click();
      await page.getByRole("link", { name: /referred/ }).waitFor();
      await expect.poll(() => page.getByRole("link", { name: /approved-by-camera/ }).count()).toBe(0);
      expect(page.url()).toContain("state=in_review");
      await shot(page, "console-filtered");
      await page.getByRole("link", { name: /referred/ }).click();
      await page.getByText("No live-person challenge was required").waitFor();
      await page.waitForTimeout(1000); // the pictures come in
      await shot(page, "console-referred");
      await page.goto(`${server.url}/console/sessions`);
      await press(page, "New test session");
      await page.getByLabel("Your reference").fill("made-in-console");
      await press(page, "Make the session");
      const link = await page.getByLabel("Link for the person").inputValue();
      expect(link).toContain("/v/");
      await page.getByRole("link", { name: "See the session" }).click();
      await page.getByText("The person has not opened the link.").waitFor();
      await visit("console-person", "phone", async (person) => {
        await person.goto(link);
        await press(person, "Start");
        await heading(person, /compare your face/);
        await page.getByText("Taking pictures").first().waitFor(); // by itself
      });
    });
  });
});

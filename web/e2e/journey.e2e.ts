import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly } from "./support/browser.ts";
import { type Answered, caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { repoRoot, results, specimen } from "./support/fixtures.ts";
import { owner as account } from "./support/owner.ts";
import { pictured } from "./support/states.ts";
import { type Open, test } from "./support/test.ts";
import { walk } from "./support/walk.ts";

// The whole way with the real server and the real models: from the link to the verdict on the screen, in the API
// and in the console. Things are found by role and label only.
const folder = join(results, "journey");

let call: ReturnType<typeof caller>;

test.beforeEach(({ server }) => {
  call = caller(() => server);
});

// The selfie is one picture here: the liveness challenge has tests of its own.
const create = (reference: string) =>
  call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });

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

/** Opens the camera before which something is held, which takes it by itself, and sends it. */
async function hold(page: Page, question: string): Promise<void> {
  await press(page, /[Cc]amera/);
  await heading(page, question);
  await press(page, "Use this photo");
}

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

/** A picture to look at. Of what fails there is one by itself. */
async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const small = ["-width", "1920", "-height", "1440"];

/** A session with a face in the refer band, for the tests that look at one: the first that asks goes the way of its person. */
let inDoubt: Promise<Answered> | undefined;

async function refer(open: Open): Promise<Answered> {
  const { front, selfie } = specimen("passport", 3, "-face", "alder", "-variant", "doubtful", ...small);
  const session = await create("refer-band");
  const { page, complaints, close } = await open();
  await begin(page, session.url);
  await send(page, front);
  await heading(page, /photo of your face/);
  await send(page, selfie);
  await heading(page, "Someone is reviewing your documents");
  expect(await page.getByText("You are verified").count()).toBe(0);
  await shot(page, "referred");
  expect(complaints).toEqual([]);
  await close();
  return session;
}

/** By day the console's test alone looks at it: its person needs no browser. */
async function referBand(open: Open): Promise<Answered> {
  if (nightly) return refer(open);
  const session = await create("refer-band");
  await walk(session.url, specimen("passport", 3, "-face", "alder", "-variant", "doubtful", ...small));
  const state = async () => (await call("GET", `/v1/sessions/${session.id}`)).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("in_review");
  return session;
}

test.describe("from the link to the verdict", () => {
  test("a specimen and its holder before the camera are approved on the screen, in the API and in the console", async ({
    open,
    camera,
    server,
    owner,
  }) => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", ...small);
    const session = await create("approved-by-camera");
    const { page, complaints } = await open();
    await begin(page, session.url);
    await heading(page, /passport's photo page/);
    camera.show(front);
    await hold(page, "Can you read every line?");
    await heading(page, /photo of your face/);
    camera.show(selfie);
    await hold(page, "Is your face sharp and well lit?");
    await heading(page, /checking your photos|verified/);
    await page.reload(); // what was sent survives a reload
    await heading(page, "You are verified");
    expect(await page.getByText("live-person challenge").count()).toBe(0);
    await shot(page, "approved");
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);

    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["approved", "approved"]);
    const { report, decisions } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(report?.notices).toContain("liveness_not_required");
    expect(decisions?.map(({ outcome }) => outcome)).toEqual(["approved"]);

    const desk = await open("desktop", await owner.signedIn());
    await desk.page.goto(`${server.url}/console/sessions`);
    await desk.page.getByRole("link", { name: /approved-by-camera/ }).click();
    await heading(desk.page, "Facts by source");
    await desk.page.getByRole("img", { name: "Front, as sent" }).waitFor();
    await desk.page.getByRole("img", { name: "Portrait on the document" }).waitFor();
    await desk.page
      .getByRole("img", { name: /^Similarity/ })
      .first()
      .waitFor();
    expect(await desk.page.getByText("Approved").count()).toBeGreaterThan(0);
    await pictured(desk.page);
    await shot(desk.page, "approved-console");
    if (process.env.UPDATE_DOCS)
      await desk.page.screenshot({ path: join(repoRoot, "docs", "console.png"), fullPage: true }); // in the README
    expect(await violations(desk.page)).toEqual([]);
    expect(desk.complaints).toEqual([]);
  });

  test("a picture that is too small asks for the step again, says why, and the next picture goes on", {
    tag: "@nightly",
  }, async ({ open }) => {
    const session = await create("retry");
    const { page, complaints } = await open();
    await begin(page, session.url);
    await send(page, specimen("passport", 3, "-face", "alder", "-width", "640", "-height", "480").front);
    await page.getByRole("alert").getByText("Use the original photo").waitFor();
    await heading(page, /passport's photo page/); // the title names the side
    expect(await page.getByText("Move closer").count()).toBe(0); // no advice for a file
    await page.getByText("2 tries left").waitFor();
    await shot(page, "retry");
    await send(page, specimen("passport", 3, "-face", "alder", ...small).front);
    await heading(page, /photo of your face/);
    expect(complaints).toEqual([]);
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("capturing");
  });

  test("a face in the refer band goes to a person, and the screen does not call that verified", {
    tag: "@nightly",
  }, async ({ open }) => {
    inDoubt ??= referBand(open);
    const session = await inDoubt;
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["in_review", "referred"]);
    const { decisions } = await call("GET", `/v1/sessions/${session.id}/report`);
    expect(decisions?.[0]?.reasons.map(({ code }) => code)).toContain("face.uncertain");
  });

  test("another person's face is asked for once more and then declined", async ({ open }) => {
    const { front, selfie } = specimen("passport", 3, "-face", "alder", "-selfie-of", "birch", ...small);
    const session = await create("declined");
    const { page, complaints } = await open();
    await begin(page, session.url);
    await send(page, front);
    await heading(page, /photo of your face/);
    await send(page, selfie);
    await heading(page, /photo of your face/);
    await page.getByText("does not look like").waitFor();
    await shot(page, "declined-once-more");
    await send(page, selfie);
    await heading(page, "We couldn't verify you");
    await shot(page, "declined");
    expect(complaints).toEqual([]);
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.outcome]).toEqual(["declined", "declined"]);
  });

  test("an identity card asks for its back too and is approved", async ({ open }) => {
    const { front, back, selfie } = specimen("id_card", 1, "-face", "cedar", "-width", "2560", "-height", "1920");
    const session = await create("identity-card");
    const { page, complaints } = await open();
    await begin(page, session.url, "Identity card");
    await send(page, front);
    await heading(page, /back of your identity card/);
    await send(page, back);
    await heading(page, /photo of your face/);
    await send(page, selfie);
    await heading(page, "You are verified");
    await shot(page, "identity-card");
    expect(complaints).toEqual([]);
  });

  test("declining consent stops at once and keeps nothing", async ({ open }) => {
    const session = await create("no-consent");
    const { page, complaints } = await open();
    await page.goto(session.url);
    await press(page, "Start");
    await press(page, "I do not agree");
    await heading(page, /didn't agree/);
    expect(complaints).toEqual([]);
    const read = await call("GET", `/v1/sessions/${session.id}`);
    expect([read.state, read.last_problem?.code]).toEqual(["cancelled", "consent.declined"]);
  });

  test("stopping the check is asked twice and ends it", async ({ open }) => {
    const session = await create("stopped");
    const { page, complaints } = await open();
    await begin(page, session.url);
    for (const answer of ["Continue the check", "Stop for good"]) {
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Stop the check" }).click();
      await press(page, answer);
    }
    await heading(page, "This verification was stopped");
    expect(complaints).toEqual([]);
    expect((await call("GET", `/v1/sessions/${session.id}`)).state).toBe("cancelled");
  });
});

test.describe("the console", () => {
  test("lets the owner sign in, filter, make a test session and watch it", async ({ open, server, owner }) => {
    inDoubt ??= referBand(open);
    await Promise.all([inDoubt, create("not-in-review"), owner.signedIn()]);
    const { page, complaints } = await open("desktop");
    await page.goto(`${server.url}/console/sessions`);
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password at all");
    await press(page, "Sign in");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await press(page, "Sign in");
    await page.getByRole("link", { name: /not-in-review/ }).waitFor();
    await page
      .getByRole("group", { name: "State" })
      .getByRole("button", { name: /In review/ })
      .click();
    await page.getByRole("link", { name: /refer-band/ }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: /not-in-review/ }).count()).toBe(0);
    expect(page.url()).toContain("state=in_review");
    await shot(page, "console-filtered");
    await page.getByRole("link", { name: /refer-band/ }).click();
    await page.getByText("No liveness challenge was required").waitFor();
    await pictured(page);
    await shot(page, "console-referred");
    await page.goto(`${server.url}/console/sessions`);
    await press(page, "New test session");
    await page.getByLabel("Your reference").fill("made-in-console");
    await press(page, "Create session");
    const link = await page.getByLabel("Link for the applicant").inputValue();
    expect(link).toContain("/v/");
    await page.getByRole("link", { name: "View session" }).click();
    await page.getByText("The applicant has not opened the link.").waitFor();
    const person = await open();
    await person.page.goto(link);
    await press(person.page, "Start");
    await heading(person.page, /compare your face/);
    await page.getByText("In progress").first().waitFor(); // by itself
    expect(person.complaints).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

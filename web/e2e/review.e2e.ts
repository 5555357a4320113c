import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly, seenThemes, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { results, specimen } from "./support/fixtures.ts";
import { Owner } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { pictured, settled } from "./support/states.ts";
import { type Open, test, type Visit } from "./support/test.ts";
import { walk } from "./support/walk.ts";

// What becomes of a referred session, with the real server and the real models: the queue, the keys, the decision, and what
// the applicant sees of it. Things are found by role and label only. The server is its own, for the queue has to be empty.
const folder = join(results, "review");
const widths = { desktop: sizes.desktop, ...(nightly ? { tablet: { width: 1280, height: 800 } } : {}) };

let server: Server;
let owner: Owner;

test.beforeAll(async ({ browser }) => {
  server = await serve();
  owner = new Owner(browser, server);
  await owner.setUp();
});

test.afterAll(async () => {
  await server?.stop();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });

const call = caller(() => server);

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

const doubtful = () =>
  specimen("passport", 3, "-face", "alder", "-variant", "doubtful", "-width", "1920", "-height", "1440");

type Waiting = { id: string; person: Page; leave: () => Promise<void> };

/** Somebody whose session was referred, still before their screen. */
async function referred(open: Open, reference: string): Promise<Waiting> {
  const session = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });
  const { page: person, close } = await open();
  const { front, selfie } = doubtful();
  await person.goto(session.url);
  await press(person, "Start");
  await press(person, "I agree");
  await pickCountry(person);
  await press(person, /Passport/);
  await send(person, front);
  await heading(person, /photo of your face/);
  await send(person, selfie);
  await heading(person, "Someone is reviewing your documents");
  return { id: session.id, person, leave: close };
}

/** The same without a browser. */
async function waiting(reference: string): Promise<() => Promise<void>> {
  const { id, url } = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "no_liveness" });
  await walk(url, doubtful());
  await expect.poll(() => state(id), { timeout: 60_000 }).toBe("in_review");
  return () => Promise.resolve();
}

/** A reviewer's tab, before the queue. */
async function desk(open: Open): Promise<Visit> {
  const visit = await open("desktop", await owner.signedIn());
  await visit.page.goto(`${server.url}/console/cases`);
  return visit;
}

/** A picture to look at. Of what fails there is one by itself. */
async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function looks(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(widths)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of seenThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page, colorScheme);
      await shot(page, `${name}.${size}.${colorScheme}`);
      expect(await violations(page)).toEqual([]);
    }
  }
  await page.setViewportSize(sizes.desktop);
}

/** A new member's browser. */
async function joined(open: Open, name: string, email: string, role: string): Promise<Visit> {
  const { page, close } = await desk(open);
  await page.goto(`${server.url}/console/settings/team`);
  await press(page, "Invite member");
  await page.getByLabel("Their email").fill(email);
  if (role !== "Reviewer") {
    await page.getByRole("checkbox", { name: "Reviewer", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: role, exact: true }).check();
  }
  await press(page, "Create link");
  const link = await page.getByLabel("Invitation link").inputValue();
  await close();
  const theirs = await open("desktop");
  await theirs.page.goto(link);
  await theirs.page.getByLabel("Your name").fill(name);
  await theirs.page.getByLabel("Password", { exact: true }).fill("another long sentence to sign in with");
  await press(theirs.page, "Join");
  await theirs.page.getByRole("link", { name: /Review queue/ }).waitFor();
  return theirs;
}

/** Corrects the family name without a pointer. */
async function correctByKeys(page: Page, value: string, why: string): Promise<void> {
  const opener = page.getByRole("button", { name: "Correct: Family name" });
  await opener.press("Enter");
  const field = page.getByRole("textbox", { name: "What the document says" });
  await expect(field).toBeFocused();
  await field.fill(value);
  await page.keyboard.press("Tab");
  await page.keyboard.type(why);
  await page.keyboard.press("Enter");
  await page.getByText("Family name corrected.").waitFor();
  await expect(opener).toBeFocused();
}

/** Chooses a reason by keys, once it is found: the reasons come after the dialog, and Enter chooses none before. */
async function chooseMismatch(page: Page): Promise<void> {
  await page.getByLabel("Search reasons").fill("face.mismatch");
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
  await page.keyboard.press("Enter");
}

const state = async (id: string): Promise<string> => (await call("GET", `/v1/sessions/${id}`)).state;

/** A session that was declined, for the tests that look at one: the first that asks declines it. */
let declined: Promise<void> | undefined;

async function decline(open: Open): Promise<void> {
  const { id, person, leave } = await referred(open, "to-decline");
  const { page, complaints } = await desk(open);
  await page.getByRole("link", { name: /to-decline/ }).click();
  await page.getByText("Unassigned.").waitFor();
  await page.keyboard.press("d");
  await press(page, /^Decline$/);
  await page.getByRole("alert").getByText("Choose at least one reason.").waitFor();
  await page.getByLabel("Search reasons").fill("does not look");
  await chooseMismatch(page);
  await page.getByText("1 reason", { exact: true }).waitFor();
  await shot(page, "decline");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Control+Enter");
  await page.getByText(/Declining in \d s/).waitFor();
  await page.getByText("You declined this case.").waitFor({ timeout: 20_000 });
  expect(complaints).toEqual([]);
  await heading(person, "We couldn't verify you");
  expect(await state(id)).toBe("declined");
  await leave();
}

test.describe("a referred session", () => {
  test("comes to the queue by itself, is claimed and approved by keys alone, and the applicant's screen says verified", async ({
    open,
  }) => {
    const { page, complaints } = await desk(open);
    await page.getByText("No unclaimed cases").waitFor();
    const { id, person, leave } = await referred(open, "to-approve");
    await page.getByRole("link", { name: /to-approve/ }).waitFor(); // without a reload
    await looks(page, "queue");
    await page.keyboard.press("j");
    await page.getByText("Assigned to you until").waitFor();
    await page
      .getByRole("img", { name: "Selfie, as sent" })
      .or(page.getByRole("img", { name: "Front, as sent" }))
      .first()
      .waitFor();
    await pictured(page);
    await looks(page, "case");
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Note" }).fill("Same ears, same scar.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Same ears, same scar.").waitFor();
    await correctByKeys(page, "ZACHARIASSEN", "A blot hides a letter.");
    await page.getByText(/Family name: .+ → ZACHARIASSEN/).waitFor();
    const { corrections, report } = await call("GET", `/v1/sessions/${id}/report`);
    const was = corrections?.[0]?.from ?? "";
    expect(corrections?.map(({ name, to }) => [name, to])).toEqual([["family_name", "ZACHARIASSEN"]]);
    expect(report?.claims.some(({ name, value }) => name === "family_name" && value === was)).toBe(true); // it keeps what was read
    await correctByKeys(page, was, "It was right."); // which undoes it
    await page.getByText(`Family name: ZACHARIASSEN → ${was}`).waitFor();
    expect(await state(id)).toBe("in_review");
    await page.keyboard.press("a");
    await page.getByText(/Approving in \d s/).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(await state(id)).toBe("in_review"); // it was taken back
    await page.keyboard.press("a");
    await page.getByText("You approved this case.").waitFor({ timeout: 20_000 });
    await heading(person, "You are verified");
    expect(await person.getByText("scar").count()).toBe(0);
    expect(await state(id)).toBe("approved");
    await page.keyboard.press("j");
    await page.getByText("No cases left that you can decide.").waitFor();
    await leave();
    expect(complaints).toEqual([]);
  });

  test("is declined with a reason that is searched for, which the applicant is told in their own words", async ({
    open,
  }) => {
    declined ??= decline(open);
    await declined;
  });

  test("is reopened for exactly one step, and the browser that waits goes on with it", { tag: "@nightly" }, async ({
    open,
  }) => {
    const { id, person, leave } = await referred(open, "to-redo");
    const { page, complaints } = await desk(open);
    await page.getByRole("link", { name: /to-redo/ }).click();
    await page.getByText("Unassigned.").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("radio", { name: "Selfie" }).check();
    await page.getByLabel("What to tell the applicant").selectOption({ value: "capture.dark" });
    await shot(page, "redo");
    await press(page, "Request retake");
    await page.getByText(/Requesting a retake in \d s/).waitFor();
    await page.getByText("You asked the applicant to repeat a step.").waitFor({ timeout: 20_000 });
    expect(complaints).toEqual([]);
    await heading(person, /photo of your face/);
    await person.getByText("dark").first().waitFor();
    await shot(person, "redo-person");
    expect(await state(id)).toBe("capturing");
    await send(person, specimen("passport", 3, "-face", "alder", "-width", "1920", "-height", "1440").selfie);
    await heading(person, /verified|Someone is reviewing your documents/);
    await leave();
  });

  test("is decided once: the second browser is told what happened and overwrites nothing", { tag: "@nightly" }, async ({
    open,
  }) => {
    const { id, leave } = await referred(open, "to-race");
    const { page: first, complaints } = await desk(open);
    await first.getByRole("link", { name: /to-race/ }).click();
    await first.getByText("Unassigned.").waitFor();
    const { page: second, close } = await desk(open);
    await second.goto(first.url());
    await second.getByText("Unassigned.").waitFor();
    await first.keyboard.press("a");
    await second.keyboard.press("d");
    await chooseMismatch(second);
    await second.keyboard.press("Control+Enter");
    await first.getByText("You approved this case.").waitFor({ timeout: 20_000 });
    await second.getByText("Someone else was faster.").waitFor({ timeout: 20_000 });
    await second.getByText("You approved it in the meantime. Your decision was not sent.").waitFor();
    await shot(second, "conflict");
    expect(await violations(second)).toEqual([]);
    await close();
    expect(complaints).toEqual([]);
    const { decisions } = await call("GET", `/v1/sessions/${id}/report`);
    expect(decisions?.map(({ outcome }) => outcome)).toEqual(["approved", "referred"]);
    await leave();
  });

  test("is given to a colleague by name and keys, and both see it at once without a reload", async ({ open }) => {
    const leave = nightly ? (await referred(open, "to-give")).leave : await waiting("to-give");
    const zofia = await joined(open, "Zofia Nowak", "zofia@bank.example", "Reviewer");
    const ravi = await joined(open, "Ravi Sen", "ravi@bank.example", "Auditor");
    const theirs = zofia.page;
    await theirs.goto(`${server.url}/console/cases?tab=mine`);
    await theirs.getByText("You have no cases").waitFor();
    const { page, complaints } = await desk(open);
    const row = page.getByRole("row", { name: /to-give/ });
    await row.getByRole("button", { name: "Assign … (case to-give)" }).press("Enter");
    const field = page.getByRole("combobox", { name: "Search members who can decide it" });
    await page.getByRole("option", { name: "Zofia Nowak" }).waitFor();
    expect(await page.getByRole("option").allInnerTexts()).toEqual([expect.stringContaining("Ida"), "Zofia Nowak"]);
    await field.fill("nobody");
    await page.getByText("No matching member can decide this case.").waitFor();
    await field.fill("zof");
    await looks(page, "assign");
    await page.keyboard.press("Enter");
    await page.goto(`${server.url}/console/cases?tab=all`);
    await row.getByText("Zofia Nowak").waitFor();
    // The other browser was told by the server.
    await theirs.getByRole("link", { name: /to-give/ }).click();
    await theirs.getByText("Assigned to you until").waitFor();
    expect(await theirs.getByRole("button", { name: /^Assign/ }).count()).toBe(0); // a reviewer gives nothing away
    await theirs.keyboard.press("g");
    await theirs.getByText("Only senior reviewers and owners can assign cases.").waitFor();
    // An auditor looks on: masked, without pictures, and nothing is offered that they may not do.
    const looking = ravi.page;
    await looking.goto(page.url());
    await looking.getByText("Personal data is masked").waitFor();
    await looking.getByRole("link", { name: /••••ve/ }).click();
    await looking.getByText(/Assigned to Zofia Nowak until .* Your role is read-only/).waitFor();
    for (const name of [/^Approve/, /^Claim/, /^Next case/, /^Assign/, "Download the case file"])
      expect(await looking.getByRole("button", { name }).count(), String(name)).toBe(0);
    await looking.getByText("Pictures were sent, but your role cannot open them.").waitFor();
    expect(await looking.getByText("to-give").count()).toBe(0);
    await shot(looking, "auditor");
    // And it is taken back while she looks at it.
    await page.getByRole("link", { name: /to-give/ }).click();
    await page.getByText("Assigned to Zofia Nowak until").waitFor();
    await page.keyboard.press("g");
    await page.getByRole("option", { name: /Ida/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByText("Assigned to you until").waitFor();
    await theirs.getByText("Assigned to Ida Lindqvist until").waitFor();
    await shot(theirs, "assign-theirs");
    await page.keyboard.press("d");
    await chooseMismatch(page);
    await page.getByText("1 reason", { exact: true }).waitFor();
    await page.keyboard.press("Control+Enter");
    await theirs.getByText("Ida Lindqvist declined this case.").waitFor({ timeout: 20_000 });
    expect(complaints).toEqual([]);
    await leave();
  });

  test("that was decided is decided anew by who may, and the newest counts", { tag: "@nightly" }, async ({ open }) => {
    declined ??= decline(open);
    await declined;
    const { page, complaints } = await desk(open);
    await page.goto(`${server.url}/console/sessions?state=declined`);
    await page.getByRole("link", { name: /to-decline/ }).click();
    await press(page, "Change decision …");
    await page.getByRole("textbox", { name: "Note" }).fill("They came by with their passport.");
    await shot(page, "change");
    await press(page, "Change decision");
    await page.getByText("They came by with their passport.").first().waitFor();
    await page.getByText("Approved").first().waitFor();
    expect(complaints).toEqual([]);
  });
});

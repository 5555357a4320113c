import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly, seenSizes, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { pickCountry } from "./support/country.ts";
import { results, specimen } from "./support/fixtures.ts";
import { Owner } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { type Open, test } from "./support/test.ts";
import { walk } from "./support/walk.ts";
import { publishWorkflow } from "./support/workflow.ts";

// A document that is shown a second time with another face, with the real server and the real models: its applicant hears what anybody
// hears whose session waits, and the reviewer sees the other session. The server is its own, so that nobody else's sessions count.
const folder = join(results, "duplicates");

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

const call = caller(() => server);
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });

async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const small = ["-width", "1920", "-height", "1440"];

/** Somebody with that face shows the passport of seed 3, whose number is the same whatever the face. */
async function shows(open: Open, face: string, reference: string, ends: string | RegExp): Promise<string> {
  const { front, selfie } = specimen("passport", 3, "-face", face, ...small);
  const session = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "looks_back" });
  const { page, complaints, close } = await open();
  const send = async (picture: string) => {
    await page.locator('input[type="file"]').setInputFiles(picture);
    await press(page, "Use this photo");
  };
  await page.goto(session.url);
  await press(page, "Start");
  await press(page, "I agree");
  await pickCountry(page);
  await press(page, /Passport/);
  await send(front);
  await heading(page, /photo of your face/);
  await send(selfie);
  await heading(page, ends);
  expect(await page.getByText(/duplicate|another session|block list|seen before/i).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
  return session.id;
}

/** The same without a browser. */
async function walked(face: string, reference: string, ends: string): Promise<string> {
  const { id, url } = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "looks_back" });
  await walk(url, specimen("passport", 3, "-face", face, ...small));
  await expect.poll(async () => (await call("GET", `/v1/sessions/${id}`)).state, { timeout: 60_000 }).toBe(ends);
  return id;
}

/** Says by the keyboard alone that the two sessions of a place are not of the same person. */
async function decide(page: Page, place: Locator, note: string): Promise<void> {
  await place.getByRole("button", { name: /^Not the same person/ }).press("Enter");
  const form = page.getByRole("dialog");
  await form.getByText(/Same document/).waitFor();
  expect(await violations(page)).toEqual([]);
  await form.getByLabel("Note for the team").fill(note);
  await form.getByRole("button", { name: "Decide" }).press("Enter");
  await form.waitFor({ state: "detached" });
}

test("a second session with the first one's document and another face is stopped, and a reviewer decides it", async ({
  open,
}) => {
  const desk = await open("desktop", await owner.signedIn());
  const { page } = desk;
  await page.goto(`${server.url}/console/workflows`);
  await publishWorkflow(page, "looks_back", {}, ["duplicate.document", "duplicate.person", "blocklist.entries"]);
  const first = nightly
    ? await shows(open, "alder", "first-holder", "You are verified")
    : await walked("alder", "first-holder", "approved");
  const second = await shows(open, "birch", "second-holder", "Someone is reviewing your documents");
  const read = await call("GET", `/v1/sessions/${second}/report`);
  const codes = read.decisions?.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  expect(codes).toContain("duplicate.document_other_face");

  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: /second-holder/ }).click();
  const panel = page.getByRole("region", { name: "Seen before" });
  await panel.getByRole("link", { name: "first-holder" }).waitFor();
  await panel.getByText("another face").waitFor();
  await panel.getByRole("button", { name: "Show the faces" }).click();
  await expect(panel.getByRole("img", { name: /Face in session/ })).toHaveCount(2);
  await shot(page, "case.1440");
  expect(await violations(page)).toEqual([]);
  await decide(page, panel, "Another holder.");
  await panel.getByText("Not the same person (Two different faces)").waitFor();
  await panel.getByText("Another holder.").waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: /^Undo/ }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).press("Enter");
  await panel.getByRole("button", { name: /^Unsure/ }).waitFor();
  await panel.getByRole("button", { name: "Add this session to the block list" }).click();
  await page
    .getByRole("dialog")
    .getByLabel(/^Decline, once another member/)
    .check();
  await page.getByRole("dialog").getByRole("button", { name: "Add to the block list" }).click();
  await panel.getByText("Added to the block list.").waitFor();
  await page.keyboard.press("d");
  const reasons = page.getByRole("dialog");
  await reasons.getByRole("checkbox").first().check();
  await page.keyboard.press("Control+Enter");
  await page.getByText("You declined this case.").waitFor({ timeout: 20_000 });
  expect((await call("GET", `/v1/sessions/${second}`)).state).toBe("declined");
  expect((await call("GET", `/v1/sessions/${first}`)).state).toBe("approved");

  for (const size of seenSizes) {
    const { width } = sizes[size];
    await page.setViewportSize(sizes[size]);
    await page.goto(`${server.url}/console/duplicates`);
    await page.getByRole("heading", { name: "2 sessions" }).waitFor();
    await shot(page, `duplicates.${width}`);
    expect(await violations(page)).toEqual([]);
    await page.goto(`${server.url}/console/blocklist`);
    await page.getByText("Waiting for a second member").waitFor();
    await shot(page, `blocklist.${width}`);
    expect(await violations(page)).toEqual([]);
  }
  await page.goto(`${server.url}/console/duplicates`);
  await decide(page, page.getByRole("main"), "They are not one person.");
  await page.getByText("No duplicates").waitFor();
  expect(desk.complaints).toEqual([]);
});

import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
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

// A face that comes again under another name, with the real server and the real models. Its people are asked first, on a page of its own;
// who declines is neither kept nor found, and is verified like anybody. The server is its own, so that nobody else's faces count.
const folder = join(results, "gallery");
const told = "Example Bank looks for people who open two accounts.";

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
const small = ["-width", "1920", "-height", "1440"];

async function shot(page: Page, name: string): Promise<void> {
  if (nightly) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Both answers are buttons of one size and one look. */
async function equal(page: Page): Promise<void> {
  const looks = await Promise.all(
    ["I agree", "I do not agree"].map((name) =>
      page.getByRole("button", { name, exact: true }).evaluate((button) => {
        const { backgroundColor, color, borderColor, fontWeight } = getComputedStyle(button);
        const { width, height } = button.getBoundingClientRect();
        return {
          backgroundColor,
          color,
          borderColor,
          fontWeight,
          width: Math.round(width),
          height: Math.round(height),
        };
      }),
    ),
  );
  expect(looks[0]).toEqual(looks[1]);
}

/** The question is the same for everybody: by day axe looks at it once. */
let asked = false;

/** The person with that face shows the passport of a seed, and answers the question about other people. */
async function shows(
  open: Open,
  seed: number,
  reference: string,
  answer: string,
  ends: string,
  workflow = "compares",
): Promise<string> {
  const { front, selfie } = specimen("passport", seed, "-face", "alder", ...small);
  const session = await call("POST", "/v1/sessions", { external_reference: reference, workflow });
  const { page, complaints, close } = await open();
  const send = async (picture: string) => {
    await page.locator('input[type="file"]').setInputFiles(picture);
    await press(page, "Use this photo");
  };
  await page.goto(session.url);
  await press(page, "Start");
  await press(page, "I agree");
  await heading(page, "May we compare your face with those of other people?");
  await page.getByText(told).waitFor();
  await page.getByText("For 6 months at most", { exact: false }).waitFor();
  await page.getByText("its result is no worse", { exact: false }).waitFor();
  await equal(page);
  if (nightly || !asked) expect(await violations(page)).toEqual([]);
  asked = true;
  await shot(page, `asked-${seed}`);
  await page.reload(); // the question stays until it is answered
  await heading(page, "May we compare your face with those of other people?");
  await page.getByRole("button", { name: answer, exact: true }).click();
  await pickCountry(page);
  await press(page, /Passport/);
  await send(front);
  await heading(page, /photo of your face/);
  await send(selfie);
  await heading(page, ends);
  expect(await page.getByText(/gallery|other people|compared|seen before|block list/i).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
  return session.id;
}

/** The same without a browser; the person agrees. */
async function walked(seed: number, reference: string, ends: string): Promise<string> {
  const { id, url } = await call("POST", "/v1/sessions", { external_reference: reference, workflow: "compares" });
  await walk(url, specimen("passport", seed, "-face", "alder", ...small), "given");
  await expect.poll(async () => (await call("GET", `/v1/sessions/${id}`)).state, { timeout: 60_000 }).toBe(ends);
  return id;
}

const codesOf = async (id: string) =>
  (await call("GET", `/v1/sessions/${id}/report`)).decisions?.flatMap(({ reasons }) => reasons.map(({ code }) => code));

test("a face that comes again under another name waits for a reviewer, and one that was not to be compared does not", async ({
  open,
}) => {
  const desk = await open("desktop", await owner.signedIn());
  const { page } = desk;
  await page.goto(`${server.url}/console/workflows`);
  await publishWorkflow(page, "compares", { seen: { gallery: { consent: told, months: 6 } } }, ["duplicate.face"]);
  const first = nightly
    ? await shows(open, 3, "first-name", "I agree", "You are verified")
    : await walked(3, "first-name", "approved");
  await shows(open, 7, "no-comparison", "I do not agree", "You are verified");
  const second = await shows(open, 5, "second-name", "I agree", "Someone is reviewing your documents");
  expect(await codesOf(second)).toContain("duplicate.face_other_person");

  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: /second-name/ }).click();
  const panel = page.getByRole("region", { name: "Seen before" });
  await panel.getByRole("link", { name: "first-name" }).waitFor();
  await panel.getByText("Face like this one").waitFor();
  await panel.getByText(/The face was compared with 1 other\./).waitFor();
  await panel.getByText(/About one search in [\d,]+ finds a stranger/).waitFor();
  expect(await panel.getByText("no-comparison").count()).toBe(0);
  await panel.getByRole("button", { name: "Show the faces" }).click();
  await expect(panel.getByRole("img", { name: /Face in session/ })).toHaveCount(2);
  await shot(page, "case.1440");
  expect(await violations(page)).toEqual([]);

  // Its person takes the consent back: asked for once, told in plain words, and done by the keyboard alone.
  const kept = page.getByRole("region", { name: "Retention" });
  await kept.getByRole("button", { name: "Stop comparing this face" }).press("Enter");
  const sure = page.getByRole("dialog", { name: "Stop comparing this face" });
  await sure.getByText("deleted from the database, memory and files", { exact: false }).waitFor();
  await shot(page, "withdraw.1440");
  expect(await violations(page)).toEqual([]);
  await sure.getByRole("button", { name: "Delete the face from the gallery" }).press("Enter");
  await sure.waitFor({ state: "detached" });
  await page.getByText("Consent to compare the face withdrawn").first().waitFor();
  expect(await kept.getByRole("button", { name: "Stop comparing this face" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(await call("POST", `/v1/sessions/${second}/withdraw-face`, {})).toEqual({ removed: 0 });
  await page.goto(`${server.url}/console/duplicates`);
  await page.getByText(/holds one face/).waitFor();
  await page.getByText("Ready", { exact: true }).waitFor();
  await shot(page, "galleries.1440");
  expect(await violations(page)).toEqual([]);

  const erased = await call("POST", `/v1/sessions/${first}/erase`, {});
  expect(JSON.stringify(erased)).toContain("gallery_entries");

  // The editor asks for what applicants are told, and publishes nothing without it.
  await page.goto(`${server.url}/console/workflows`);
  await page.getByRole("link", { name: "compares" }).click();
  await press(page, "Create draft");
  const words = page.getByLabel("Consent text for applicants");
  expect(await words.inputValue()).toBe(told);
  await words.fill("");
  await page.getByText("with others needs consent", { exact: false }).first().waitFor();
  expect(await page.getByRole("button", { name: "Publish …" }).isDisabled()).toBe(true);
  await shot(page, "editor.1440");
  expect(await violations(page)).toEqual([]);
  expect(desk.complaints).toEqual([]);
});

/** Opens the session of a reference, and asks by the keyboard to put its face on the block list. */
async function list(page: Page, id: string): Promise<void> {
  await page.goto(`${server.url}/console/sessions/${id}`);
  const panel = page.getByRole("region", { name: "Seen before" });
  await panel.getByRole("button", { name: "Add this session to the block list" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Add this session to the block list" });
  await form.getByLabel("Entry").selectOption("Face");
  await form.getByText("Only applicants who agreed to the comparison", { exact: false }).waitFor();
  expect(await form.getByLabel(/^Decline, once another member/).count()).toBe(0);
  await form.getByLabel("Reason").selectOption("Impersonation");
  expect(await violations(page)).toEqual([]);
  await shot(page, "block-form.1440");
  await form.getByRole("button", { name: "Add to the block list" }).press("Enter");
}

test("a face on the block list stops who agreed to be compared, and is gone with its session", {
  tag: "@nightly",
}, async ({ open }) => {
  const desk = await open("desktop", await owner.signedIn());
  const { page } = desk;
  await page.goto(`${server.url}/console/workflows`);
  const gallery = { consent: told, months: 6, name: "listed" };
  await publishWorkflow(page, "lists", { seen: { gallery } }, ["duplicate.face", "blocklist.entries"]);
  const first = await shows(open, 11, "listed-face", "I agree", "You are verified", "lists");
  const apart = await shows(open, 13, "not-compared", "I do not agree", "You are verified", "lists");

  await list(page, apart);
  const refused = page.getByRole("dialog");
  await refused.getByText("did not agree to have their face compared", { exact: false }).waitFor();
  await refused.getByRole("button", { name: "Cancel" }).click();
  await list(page, first);
  await page.getByText("Added to the block list.").waitFor();

  await shows(open, 17, "nobody-asked", "I do not agree", "You are verified", "lists");
  const second = await shows(open, 19, "listed-again", "I agree", "Someone is reviewing your documents", "lists");
  expect(await codesOf(second)).toContain("blocklist.face");
  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: /listed-again/ }).click();
  await page.getByText("A face like this one is on your block list").first().waitFor();
  await page.getByText("On the block list: Face.").waitFor();
  expect(await violations(page)).toEqual([]);
  await shot(page, "block-case.1440");

  for (const size of seenSizes) {
    const { width } = sizes[size];
    await page.setViewportSize(sizes[size]);
    await page.goto(`${server.url}/console/blocklist`);
    await page.getByRole("button", { name: /^Show the face/ }).press("Enter");
    await page.getByRole("img", { name: /Face in session/ }).waitFor();
    await shot(page, `block-face.${width}`);
    expect(await violations(page)).toEqual([]);
  }
  const read = JSON.stringify(await call("GET", "/v1/blocklist"));
  for (const shown of [`"session":"${first}"`, '"kind":"face"', '"hint":"listed"']) expect(read).toContain(shown);

  await call("POST", `/v1/sessions/${first}/erase`, {});
  await page.reload();
  await page.getByText("Nothing is on the block list").waitFor();
  expect(await page.getByRole("img", { name: /Face in session/ }).count()).toBe(0);
  expect(desk.complaints).toEqual([]);
});

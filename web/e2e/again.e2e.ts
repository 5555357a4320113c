import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { agree, pickCountry } from "./support/country.ts";
import { specimen } from "./support/fixtures.ts";
import { test, visited } from "./support/test.ts";
import { publishWorkflow } from "./support/workflow.ts";

// Somebody who is declined for their document begins once more with another one, with the real server.
const small = ["-face", "alder", "-width", "1920", "-height", "1440"];
let call: ReturnType<typeof caller>;

test.beforeAll(async ({ browser, server, owner }) => {
  const { page, close } = await visited(browser, { viewport: sizes.desktop, ...(await owner.signedIn()) });
  await page.goto(`${server.url}/console/sessions`);
  await publishWorkflow(page, "again", { another_document: true });
  await close();
});
test.beforeEach(({ server }) => {
  call = caller(() => server);
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor({ timeout: 60_000 });
const again = "Try again with another document";

async function send(page: Page, picture: string): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(picture);
  await press(page, "Use this photo");
}

test("a passport that expired is declined, and a valid one begins a session that is approved (phone)", {
  tag: "@nightly",
}, async ({ open, server, owner }) => {
  const valid = specimen("passport", 3, ...small);
  const expired = specimen("passport", 3, "-expired", ...small);
  const first = await call("POST", "/v1/sessions", { external_reference: "again-phone", workflow: "again" });
  const { context, page, complaints } = await open();
  await page.goto(first.url);
  await press(page, "Start");
  await agree(page);
  await pickCountry(page);
  for (const next of ["Which document will you use?", "Which document will you use?", "We couldn't verify you"]) {
    await press(page, /^Passport/);
    await send(page, expired.front);
    await heading(page, next); // the tries of a document are used up
  }
  await page.getByText(/once more with another document/).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.close(); // the link after the end tells the truth, and still offers it
  const second = await context.newPage();
  await second.goto(first.url);
  await heading(second, "We couldn't verify you");
  await press(second, again);
  await heading(second, /compare your face/);
  expect(await second.getByText(/ALDER|ERIKSSON|expired/i).count()).toBe(0);
  await agree(second);
  await pickCountry(second);
  await press(second, /^Passport/);
  await send(second, valid.front);
  await heading(second, /photo of your face/);
  expect(await second.locator("img[src^='blob:']").count()).toBe(0);
  await second.reload();
  await heading(second, /photo of your face/);
  await send(second, valid.selfie);
  await heading(second, "You are verified");
  expect(await second.evaluate(() => localStorage.length)).toBe(0);

  const read = await call("GET", `/v1/sessions/${first.id}`);
  expect([read.state, read.last_problem?.code]).toEqual(["declined", "document.expired"]);
  const next = await call("GET", `/v1/sessions/${read.followed_by}`);
  expect([next.state, next.follows]).toEqual(["approved", first.id]);
  expect(complaints).toEqual([]);

  const desk = await open("desktop", await owner.signedIn());
  await desk.page.goto(`${server.url}/console/sessions/${first.id}`);
  await desk.page.getByRole("link", { name: "Continued with another document" }).click();
  await desk.page.getByRole("link", { name: "Started with another document after a decline" }).waitFor();
  expect(desk.page.url()).toContain(next.id);
  expect(await violations(desk.page)).toEqual([]);
  expect(desk.complaints).toEqual([]);
});

test("the keyboard alone leads from the decline to the next verdict, and there is no third time (desktop)", async ({
  open,
}) => {
  const first = await call("POST", "/v1/sessions", {
    external_reference: "again-desktop",
    workflow: "again",
    claimed: { document_number: "persona:declined" },
  });
  const { page, complaints } = await open("desktop");
  await page.goto(first.url);
  await press(page, "Start");
  await press(page, "Finish as the test persona");
  await heading(page, "We couldn't verify you");
  expect(await violations(page)).toEqual([]);
  const button = page.getByRole("button", { name: again });
  for (let n = 0; n < 12 && !(await button.evaluate((node) => node === document.activeElement)); n++)
    await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await heading(page, /compare your face/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await press(page, "Finish as the test persona");
  await heading(page, "You are verified");
  expect(await page.getByRole("button", { name: again }).count()).toBe(0);

  const stranger = await open("desktop");
  await stranger.page.goto(first.url);
  await heading(stranger.page, "This verification is already complete");
  expect(await stranger.page.getByRole("button", { name: again }).count()).toBe(0);
  expect([...complaints, ...stranger.complaints]).toEqual([]);
});

import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { Owner } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { type Open, test } from "./support/test.ts";

// The review queue with the real server: narrowed by its address, given out without asking, and approvals looked at again.
// The server is its own, for the queue has to be empty.

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

/** A session that a test persona leaves to a reviewer. */
async function referred(open: Open, reference: string, workflow: string): Promise<void> {
  const session = await call("POST", "/v1/sessions", {
    external_reference: reference,
    workflow,
    claimed: { document_number: "persona:in_review" },
  });
  const { page, close } = await open("desktop");
  await page.goto(session.url);
  await press(page, "Start");
  await press(page, "Finish as the test persona");
  await page.getByRole("heading", { name: "Someone is reviewing your documents" }).waitFor();
  await close();
}

test("a reviewer narrows the queue, goes away and comes back, and is given what waits", async ({ open }) => {
  await referred(open, "first", "no_liveness");
  await referred(open, "second", "default");
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/cases?tab=all&workflow=no_liveness`);
  await page.getByRole("link", { name: /first/ }).waitFor();
  expect(await page.getByRole("link", { name: /second/ }).count()).toBe(0);

  await press(page, "Overdue");
  await page.getByText("No cases match these filters").waitFor();
  expect(new URL(page.url()).searchParams.get("overdue")).toBe("true");
  expect(await violations(page)).toEqual([]);
  await press(page, "Clear filters");
  await page.getByRole("link", { name: /second/ }).waitFor();

  // Away: what waits stays where it is. Back: it comes.
  await page.getByLabel("I am away").click(); // it is checked once the server knows
  await page.getByText("You are away. Your cases are back in the queue.").waitFor();
  await press(page, "Automatic assignment …");
  await page.getByLabel("Assign cases automatically").check();
  await press(page, "Save");
  await page.getByText("Saved.").waitFor();
  await page.getByRole("dialog").getByText("Away", { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByLabel("I am away").click();
  await expect(page.getByLabel("I am away")).not.toBeChecked();
  await expect(page.getByRole("row", { name: /first/ }).getByRole("cell", { name: /^You/ })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole("row", { name: /case second/ }).getByRole("cell", { name: /^You/ })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("second looks and figures say what would fill them, and are read by those who may", { tag: "@nightly" }, async ({
  open,
}) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/cases`);
  await page.getByRole("link", { name: "Quality" }).click();
  await page.getByText("No second looks waiting").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${server.url}/console/reviewers`);
  await page.getByText("No decisions in this period").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

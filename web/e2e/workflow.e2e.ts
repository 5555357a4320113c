import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { violations } from "./support/axe.ts";
import { launch, sizes } from "./support/browser.ts";
import { fakeCamera } from "./support/fixtures.ts";
import { type Server, serve } from "./support/server.ts";

// A workflow from its making to the first session that follows it, with the real server. Things are found by role and label.
let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([serve(), launch(fakeCamera("workflow").path)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

it("a draft gets a rule whose mistake is shown at its place, is tried out and published, and a new session follows it", async () => {
  const context = await browser.newContext({ viewport: sizes.desktop, locale: "en-GB", reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(server.setupLink);
  await page.getByLabel("Your name").fill("Ida Lindqvist");
  await page.getByLabel("E-mail").fill("ida@bank.example");
  await page.getByLabel("Password", { exact: true }).fill("a long sentence to sign in with");
  await press(page, "Make the account");
  await page.getByRole("link", { name: "Workflows" }).click();
  await press(page, "New workflow");
  await page.getByRole("dialog").getByLabel("Name").fill("strict");
  await press(page, "Make it");

  await press(page, "Add a rule");
  await page.getByLabel("Name", { exact: true }).fill("papers of Utopia");
  const when = page.getByLabel("When");
  await when.fill("document.coun");
  await page.getByRole("list", { name: "Names that fit" }).getByText("document.country").first().click();
  expect(await when.inputValue()).toContain("document.country");
  await when.fill("document.country ==");
  await page.getByText(/Line 1, column \d+:/).waitFor();
  expect(await page.getByRole("button", { name: "Publish …" }).isDisabled()).toBe(true);
  await when.fill('document.country == "UTO"');
  await page.getByText(/Line 1, column \d+:/).waitFor({ state: "detached" });
  await page.getByLabel("A person's approval needs a second person's").check();
  await page.getByLabel("Name shown").fill("Example Bank");
  await page.getByLabel("Colour", { exact: true }).fill("#f5c518");
  await page.getByLabel("Sentence on the first screen, in English").fill("We have to know that it is you.");
  await page.getByText(/In the light theme #[0-9a-f]{6} is shown/).waitFor();
  await press(page, "Save the draft");
  await page.getByText("The draft is saved.").waitFor();
  await press(page, "Try it out");
  await page.getByText(/past decisions, \d+ would be others/).waitFor();
  expect(await violations(page)).toEqual([]);

  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version does not change any more.").waitFor();
  // The next draft says in words what it would change, before it is published.
  await press(page, "Start a draft");
  await page.getByLabel("Minimum age (0 for none)").fill("21");
  await press(page, "Save the draft");
  await page.getByText("The draft is saved.").waitFor();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByText("The minimum age is 21; there was none.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const answer = await fetch(`${server.url}/v1/sessions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ workflow: "strict" }),
  });
  const session = await answer.json();
  expect(session.workflow).toMatchObject({ name: "strict", number: 1 });
  await page.goto(session.url);
  await page.getByRole("heading", { name: "Example Bank asks you to confirm who you are" }).waitFor();
  await page.getByText("We have to know that it is you.").waitFor();
  const accent = () => document.documentElement.style.getPropertyValue("--accent");
  expect(await page.evaluate(accent)).toMatch(/^#[0-9a-f]{6}$/);
  expect(complaints).toEqual([]);
  await context.close();
}, 120_000);

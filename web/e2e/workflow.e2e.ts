import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { caller } from "./support/call.ts";
import { owner as account } from "./support/owner.ts";
import { test } from "./support/test.ts";

// A workflow from its making to the first session that follows it, with the real server. Things are found by role and label.

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

test("a draft gets a rule whose mistake is shown at its place, is tried out and published, and a new session follows it", async ({
  open,
  server,
  owner,
}) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/sessions`);
  await page.getByRole("link", { name: "Workflows" }).click();
  await press(page, "New workflow");
  await page.getByRole("dialog").getByLabel("Name").fill("strict");
  await press(page, "Create workflow");

  await press(page, "Add rule");
  await page.getByLabel("Name", { exact: true }).fill("papers of Utopia");
  const when = page.getByLabel("When");
  await when.fill("document.coun");
  await page.getByRole("list", { name: "Suggestions" }).getByText("document.country").first().click();
  expect(await when.inputValue()).toContain("document.country");
  await when.fill("document.country ==");
  await page.getByText(/Line 1, column \d+:/).waitFor();
  expect(await page.getByRole("button", { name: "Publish …" }).isDisabled()).toBe(true);
  await when.fill('document.country == "UTO"');
  await page.getByText(/Line 1, column \d+:/).waitFor({ state: "detached" });
  await page.getByLabel("Manual approvals need a second person").check();
  await page.getByLabel("Display name").fill("Example Bank");
  await page.getByLabel("Colour", { exact: true }).fill("#f5c518");
  await page.getByLabel("Welcome text, English").fill("We have to know that it is you.");
  await page.getByText(/The light theme uses #[0-9a-f]{6}/).waitFor();
  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  await press(page, "Try on past cases");
  await page.getByText(/past decisions, \d+ would change/).waitFor();
  expect(await violations(page)).toEqual([]);

  await press(page, "Publish …");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByText("This version is final.").waitFor();
  // The next draft says in words what it would change, before it is published.
  await press(page, "Create draft");
  await page.getByLabel("Minimum age (0 for none)").fill("21");
  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  await press(page, "Publish …");
  await page.getByRole("dialog").getByText("The minimum age is 21; there was none.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const session = await caller(() => server)("POST", "/v1/sessions", { workflow: "strict" });
  expect(session.workflow).toMatchObject({ name: "strict", number: 1 });
  await page.goto(session.url);
  await page.getByRole("heading", { name: "Verify your identity for Example Bank" }).waitFor();
  await page.getByText("We have to know that it is you.").waitFor();
  const accent = () => document.documentElement.style.getPropertyValue("--accent");
  expect(await page.evaluate(accent)).toMatch(/^#[0-9a-f]{6}$/);
  expect(complaints).toEqual([]);
});

test("the editor is worked with the keyboard alone, and what was chosen is what is kept", { tag: "@nightly" }, async ({
  open,
  server,
  owner,
}) => {
  await owner.signedIn(); // the account is there
  const { page } = await open("desktop");
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Workflows" }).press("Enter");
  await page.getByRole("button", { name: "New workflow" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Name").waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT");
  await page.keyboard.type("by_keyboard");
  await page.keyboard.press("Enter");

  // Steps and checks: Space and the arrows.

  const back = page.getByLabel("Ask for the back of cards");
  const asked = await back.isChecked();
  await back.press("Space");
  await expect(back).toBeChecked({ checked: !asked });
  const person = page.getByRole("main").getByRole("radio", { checked: true });
  const before = await person.inputValue();
  await person.press("ArrowDown");
  await expect(person).not.toHaveValue(before);
  // States are searched for, chosen and taken back.
  const countries = page.getByRole("combobox", { name: "Accepted issuing states" });
  await countries.focus();
  await page.keyboard.type("Utopia");
  await page.getByRole("option", { name: /UTO/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Germany");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Escape");
  // A threshold by its list, languages by theirs.
  const rate = page.getByLabel("Pass faces at a false match rate of");
  const passes = await rate.inputValue();
  await rate.press("ArrowDown");
  if ((await rate.inputValue()) === passes) await rate.press("ArrowUp");
  await expect(rate).not.toHaveValue(passes);
  const chosen = await rate.inputValue();
  await page.getByRole("combobox", { name: "Languages offered" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  // A name that fits is taken from the list below the field; the focus goes back to it.
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  const when = page.getByLabel("When");
  await when.focus();
  await page.keyboard.type("document.coun");
  await page.getByRole("list", { name: "Suggestions" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type(' == "UTO"');
  await expect(when).toHaveValue('document.country == "UTO"');
  await page.getByLabel("Name", { exact: true }).fill("papers of Utopia");
  // The file of a logo is asked for.
  const asks = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose logo" }).press("Enter");
  await asks;

  await page.getByRole("button", { name: "Save draft" }).press("Enter");
  await page.getByText("Draft saved.").waitFor();
  await page.reload();
  await page.getByLabel("When").waitFor();
  await expect(back).toBeChecked({ checked: !asked });
  expect(await rate.inputValue()).toBe(chosen);
  expect(await page.getByLabel("When").inputValue()).toBe('document.country == "UTO"');
  await page
    .getByText(/\(UTO\)/)
    .first()
    .waitFor();
  expect(await page.getByText(/\(D\)|\(DEU\)/).count()).toBe(0);
});

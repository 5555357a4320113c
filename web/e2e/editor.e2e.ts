import { readFileSync, writeFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { test } from "./support/test.ts";

// The editor of workflows with the real server: from a template, in units that people use, out as a file and in again.

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

async function make(page: Page, url: string, name: string, template: string): Promise<void> {
  await page.goto(`${url}/console/workflows`);
  await press(page, "New workflow");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Start from").selectOption(template);
  await dialog.getByRole("button", { name: "Create workflow" }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

test("a template is changed in days, exported, and imported after its differences were shown", async ({
  open,
  server,
  owner,
}, info) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await make(page, server.url, "age_check", "age_check");
  const age = page.getByLabel("Minimum age (0 for none)");
  await expect(age).toHaveValue("18");
  const link = page.getByLabel("Link can be opened for", { exact: true });
  await expect(link).toHaveValue("2");
  await expect(page.getByLabel("Unit of Link can be opened for")).toHaveValue("days");
  await link.fill("5");
  await press(page, "Save draft");
  await page.getByText("Draft saved.").waitFor();
  expect(await violations(page)).toEqual([]);

  const downloading = page.waitForEvent("download");
  await press(page, "Export as a file");
  const file = info.outputPath("age.workflow.json");
  await (await downloading).saveAs(file);
  const saved = JSON.parse(readFileSync(file, "utf8"));
  expect(saved.spec.link_hours).toBe(120);

  await make(page, server.url, "elsewhere", "");
  await press(page, "Import a file …");
  const chooser = page.getByRole("dialog").locator('input[type="file"]');
  const broken = info.outputPath("broken.json");
  writeFileSync(broken, "{}");
  await chooser.setInputFiles(broken);
  await page.getByText("This is not a workflow file.").waitFor();
  await chooser.setInputFiles(file);
  await page.getByText("The minimum age is 18; there was none.").waitFor();
  expect(await violations(page)).toEqual([]);
  await press(page, "Apply these changes");
  await expect(age).toHaveValue("18");
  await expect(link).toHaveValue("5");
  await page.getByText("Unsaved changes").waitFor();
  expect(complaints).toEqual([]);
});

test("the applicant's real pages are walked through in a frame, and nobody else's page may show them", async ({
  open,
  server,
  owner,
}) => {
  const { page, complaints } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/workflows`);
  await page.getByRole("link", { name: "no_liveness" }).click();
  await press(page, "Preview the flow");
  await press(page, "Start a test session");
  const frame = page.frameLocator('iframe[title="The applicant\'s pages"]');
  await frame.getByRole("button", { name: "Start" }).click();
  await frame.getByRole("button", { name: "I agree" }).waitFor();
  expect(complaints).toEqual([]);
});

import { expect } from "@playwright/test";
import { signedIn } from "./states/desk.ts";
import { answer } from "./states/state.ts";
import { test } from "./support/test.ts";

// The language of the console: English loads nothing for it, another is chosen under "Your account", and the browser's own counts.
const german = /console\.de-[\w-]+\.js$/;

test("a member reads the console in German, and whoever reads English loads no German", async ({ open, site }) => {
  const { page, complaints } = await open("desktop", { locale: "en-GB" });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await answer(page, signedIn);
  await page.goto(`${site.url}/console/settings/account`);
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(loaded.filter((url) => german.test(url))).toEqual([]);

  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { level: 1, name: "Ihr Konto" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(loaded.filter((url) => german.test(url))).toHaveLength(1);
  await page
    .getByRole("link", { name: /^Sitzungen/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Sitzungen" }).waitFor();
  await page.getByText("Reisepass, Utopia").first().waitFor();

  await page.goto(`${site.url}/console/settings/account`);
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("Wie im Browser (English)");
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en-GB");
  expect(complaints).toEqual([]);
});

test("a browser that prefers German gets German before anybody has signed in", async ({ open, site }) => {
  const { page } = await open("phone", { locale: "de-AT" });
  await answer(page, signedIn);
  await page.goto(`${site.url}/login`);
  await page.getByRole("button", { name: "Anmelden" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de-AT");
});

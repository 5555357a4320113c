import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { type Size, themes } from "./support/browser.ts";
import { results } from "./support/fixtures.ts";
import { type Open, test } from "./support/test.ts";

// The documentation as the program serves it: on a phone and on a desktop, light and dark. Nothing scrolls sideways, axe
// finds nothing, and the content policy refuses nothing. SCREENS keeps pictures.
const pages = {
  home: ["/docs", "Documentation"],
  guide: ["/docs/guides/quick-start", "Quick start"],
  calls: ["/docs/api/sessions", "Sessions"],
  errors: ["/docs/errors", "Problems and reasons"],
  personas: ["/docs/personas", "Test personas"],
  limits: ["/docs/limits", "Limits"],
} as const;

/** What is read by day: a page of text and one of tables. */
const byDay = new Set(["guide on a phone", "calls on a desktop"]);
const folder = join(results, "screens");
const wanted = process.env.SCREENS ? new RegExp(process.env.SCREENS) : undefined;

async function opened(open: Open, url: string, path: string, size: Size): Promise<{ page: Page; wrong: string[] }> {
  const { page } = await open(size, { permissions: [] });
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) wrong.push(`asked elsewhere: ${request.url()}`);
  });
  await page.goto(url + path);
  return { page, wrong };
}

test.describe("the documentation", () => {
  for (const [name, [path, title]] of Object.entries(pages))
    for (const size of ["phone", "desktop"] as const)
      test(`${name} can be read on a ${size}`, { tag: byDay.has(`${name} on a ${size}`) ? [] : "@nightly" }, async ({
        open,
        server,
      }) => {
        const { page, wrong } = await opened(open, server.url, path, size);
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme });
          wrong.push(...(await violations(page, theme === "dark" ? "colours" : "everything")));
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (wide > 0) wrong.push(`scrolls sideways by ${wide} px`);
          if (wanted?.test(`docs-${name}`))
            await page.screenshot({ path: join(folder, `docs-${name}.${size}.${theme}.png`) });
        }
        expect(wrong).toEqual([]);
      });

  test("finds a code by its name, from the keyboard alone", async ({ open, server }) => {
    const { page, wrong } = await opened(open, server.url, "/docs", "desktop");
    await page.keyboard.press("/");
    await page.keyboard.type("capture.blurred");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    if (wanted?.test("docs-search")) await page.screenshot({ path: join(folder, "docs-search.desktop.light.png") });
    wrong.push(...(await violations(page)));
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/errors#capture.blurred");
    expect(wrong).toEqual([]);
  });

  test("copies a command, and folds its list of pages where there is no room", async ({ open, server }) => {
    const { page, wrong } = await opened(open, server.url, "/docs/guides/quick-start", "phone");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("bonafide serve --dev");
    const link = page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "Webhooks" });
    expect(await link.isVisible()).toBe(false);
    await page.getByText("Pages", { exact: true }).click();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    expect(wrong).toEqual([]);
  });
});

import { expect, type Page } from "@playwright/test";
import { test } from "./support/test.ts";

// The command palette with the real server: what it lists leads somewhere, and a keyboard is enough.

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(text);
}

test("every page of the navigation is in the palette and is gone to by its name, in the mode that one looks at", {
  tag: "@nightly",
}, async ({ open, server, owner }) => {
  const { page } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/sessions?mode=live`);
  const heading = page.getByRole("heading", { level: 1 });
  await heading.filter({ hasText: "Sessions" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Your account" }).waitFor();
  const offered = await page.getByRole("option").allInnerTexts();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const places = await page
    .getByRole("navigation", { name: "Main navigation" })
    .getByRole("link")
    .evaluateAll((links) => [
      ...new Set(links.map((link) => new URL(link.getAttribute("href") ?? "", location.href).pathname)),
    ]);
  expect(places.length).toBeGreaterThan(12);
  const reached = new Set<string>();
  for (const name of offered) {
    if (name.includes("on this page") || name.includes("·")) continue;
    await ask(page, name);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await heading.filter({ hasText: name }).waitFor();
    const { pathname, search } = new URL(page.url());
    reached.add(pathname.replace(/(.)\/$/, "$1"));
    if (!pathname.includes("/settings/")) expect(search, name).toBe("?mode=live");
    if (pathname.includes("/settings/")) await page.goBack();
  }
  expect(places.filter((place) => !reached.has(place.replace(/(.)\/$/, "$1")))).toEqual([]);
});

test("what can be done on the open page is done from it, and the focus goes back to where it was", async ({
  open,
  server,
  owner,
}) => {
  const { page } = await open("desktop", await owner.signedIn());
  await page.goto(`${server.url}/console/sessions`);
  const queue = page.getByRole("link", { name: /Review queue/ });
  await queue.focus();
  await ask(page, "nothing by that name at all");
  await page.getByRole("dialog").getByText("No matches.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await queue.evaluate((link) => link === document.activeElement)).toBe(true);

  await ask(page, "new test");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New test session" }).waitFor();
  await page.getByLabel("Your reference").waitFor();
  await page.keyboard.type("by-palette"); // the focus is in the dialog's first field
  expect(await page.getByLabel("Your reference").inputValue()).toBe("by-palette");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: "View session" })
    .or(page.getByRole("link", { name: "View session" }))
    .click();
  await page.getByRole("heading", { name: "by-palette" }).waitFor();
  const { pathname } = new URL(page.url());

  await ask(page, "legal hold");
  await page.getByRole("option", { name: /on this page/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill("A court asked for it.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // What is blocked says why, and does nothing.
  await ask(page, "erase");
  await page.getByRole("option", { name: /Lift the hold|legal hold/i }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Search pages and commands" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // What was done on one page is not offered on another; an id leads to its session.
  await page.goto(`${server.url}/console/analytics`);
  await page.getByRole("heading", { name: "Analytics" }).waitFor();
  await ask(page, "erase");
  await page.getByRole("dialog").getByText("No matches.").waitFor();
  await page
    .getByRole("dialog")
    .getByRole("combobox")
    .fill(pathname.split("/").at(-1) ?? "");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "by-palette" }).waitFor();
});

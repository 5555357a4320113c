import { expect, type Page } from "@playwright/test";
import { consoleStates } from "./states/console.ts";
import { answer, type State } from "./states/state.ts";
import { type Open, test } from "./support/test.ts";

// Lists are tables where their columns fit and cards where they do not; what is always in sight takes little of a phone.
async function shown(open: Open, url: string, name: string, locale = "en-GB"): Promise<Page> {
  const state: State | undefined = consoleStates.find((one) => one.name === name);
  if (!state) throw new Error(`there is no state ${name}`);
  const { page } = await open("phone", { locale, timezoneId: "Europe/Berlin" });
  await answer(page, state.api);
  await page.goto(url + state.path);
  return page;
}

const layout = (page: Page) =>
  page
    .getByRole("table")
    .first()
    .evaluate((table) => (getComputedStyle(table).display === "table" ? "table" : "cards"));

/** A list with its rows: on a busy machine they take longer to arrive than a poll waits. */
async function listed(open: Open, url: string, name: string, locale?: string): Promise<Page> {
  const page = await shown(open, url, name, locale);
  await page.getByRole("table").first().waitFor();
  return page;
}

/** By day the longer words of German, in the widest list, and the list of most columns. */
const byDay = new Set(["console-cases in de-DE", "console-blocklist in de-DE"]);

for (const [name, language, widths] of [
  ["console-cases", "en-GB", [1440, 1024, 940]],
  ["console-cases", "de-DE", [1440, 1024, 940]],
  ["console-sessions", "en-GB", [1440, 1024, 940]],
  ["console-blocklist", "en-GB", [1440, 1024, 1010, 960, 900]],
  ["console-blocklist", "de-DE", [1440, 1024, 1010, 960, 900]],
] as const)
  test(`${name} in ${language} is a table on a desktop and a laptop, and cards on a phone`, {
    tag: byDay.has(`${name} in ${language}`) ? [] : "@nightly",
  }, async ({ open, site }) => {
    const page = await listed(open, site.url, name, language);
    await expect.poll(() => layout(page)).toBe("cards");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => layout(page), { message: `${width} px` }).toBe("table");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => layout(page)).toBe("cards");
  });

test("the bar of a draft takes two lines of a phone, with Save in sight and the rest in a menu", async ({
  open,
  site,
}) => {
  const page = await shown(open, site.url, "console-workflow-draft");
  const bar = page.getByRole("region", { name: "Draft", exact: true });
  await bar.getByRole("button", { name: "Save draft" }).waitFor();
  expect((await bar.boundingBox())?.height).toBeLessThan(110);
  await bar.getByRole("button", { name: "More …" }).click();
  await page.getByRole("menuitem", { name: "Test on one case" }).click();
  await page.getByRole("dialog", { name: "Test this draft on one case" }).waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  await bar.getByRole("button", { name: "Publish …" }).waitFor();
  expect(await bar.getByRole("button", { name: "More …" }).count()).toBe(0);
});

test("the whole address of a webhook is in the list, however long it is", async ({ open, site }) => {
  const page = await shown(open, site.url, "console-webhooks");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page
      .getByRole("rowheader")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(cut).toEqual([]);
  }
});

test("sessions are sorted by a heading, with the keyboard, and the order is in the address", async ({ open, site }) => {
  const page = await listed(open, site.url, "console-sessions");
  const asked = (order: string | null) =>
    page.waitForRequest(
      (request) =>
        /\/console\/sessions\?/.test(request.url()) && new URL(request.url()).searchParams.get("sort") === order,
    );
  // Above cards, too: there is no other way to sort on a phone.
  const heading = page.getByRole("columnheader", { name: "Created" });
  await expect(heading).toHaveAttribute("aria-sort", "descending");
  const sorted = asked("created_at");
  await heading.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await sorted;
  await expect(heading).toHaveAttribute("aria-sort", "ascending");
  expect(new URL(page.url()).searchParams.get("sort")).toBe("created_at");
  await page.getByRole("table", { name: "Sessions, sorted by Created, ascending" }).waitFor();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(heading).toHaveAttribute("aria-sort", "ascending");
  await heading.getByRole("button").click();
  await expect(heading).toHaveAttribute("aria-sort", "descending");
  expect(new URL(page.url()).searchParams.has("sort")).toBe(false);
});

test("lists are sorted by state, decision, target, reason and reviewer, and the order is in the address", async ({
  open,
  site,
}) => {
  for (const [name, list, columns] of [
    ["console-sessions", "sessions", { State: ["state", "-state"], Decided: ["-decided_at", "decided_at"] }],
    [
      "console-cases",
      "cases",
      {
        Target: ["-due_at", null],
        "Reason for review": ["reason", "-reason"],
        "Assigned to": ["assignee", "-assignee"],
      },
    ],
  ] as const) {
    const page = await listed(open, site.url, name);
    const usual = new URL(page.url()).searchParams.get("sort");
    for (const [column, orders] of Object.entries(columns)) {
      const heading = page.getByRole("columnheader", { name: column });
      for (const order of [...orders, ...(orders[1] === null ? [] : [usual])]) {
        // What was read before is not read again.
        const asked =
          order !== usual &&
          page.waitForRequest(
            (request) =>
              new RegExp(`/console/${list}\\?`).test(request.url()) &&
              new URL(request.url()).searchParams.get("sort") === order,
          );
        await heading.getByRole("button").focus();
        await page.keyboard.press("Enter");
        await asked;
        await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe(order);
        const way = order?.startsWith("-") ? "descending" : "ascending";
        await expect(heading).toHaveAttribute("aria-sort", order ? way : column === "Target" ? "ascending" : "none");
        await expect(heading.getByRole("button")).toBeFocused();
      }
    }
    await page.close();
  }
});

test("cards stay a table for screen readers, with each cell in its column", async ({ open, site }) => {
  const page = await listed(open, site.url, "console-sessions");
  await expect.poll(() => layout(page)).toBe("cards");
  const table = page.getByRole("table").first();
  await expect(table).toHaveAttribute("role", "table");
  const bare = () => table.evaluate((one) => one.querySelectorAll(":is(tr, th, td, thead, tbody):not([role])").length);
  expect(await bare()).toBe(0);
  const created = table.locator("th[aria-sort]").filter({ hasText: "Created" });
  await expect(created).toHaveAttribute("role", "columnheader");
  await expect(created).toHaveAttribute("aria-colindex", "6");
  await expect(table.locator('tbody tr:first-child [role="rowheader"]')).toHaveAttribute("aria-colindex", "1");
  await expect(table.locator('tbody tr:first-child [role="cell"]').nth(4)).toHaveAttribute("aria-colindex", "6");
  await expect(table.getByRole("caption")).toHaveText("Sessions, sorted by Created, descending");

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => layout(page)).toBe("table");
  expect(await table.evaluate((one) => one.querySelectorAll("[role], [aria-colindex]").length)).toBe(0);
});

test("the figures of reviewers are sorted by each of them, both ways and back", async ({ open, site }) => {
  const page = await shown(open, site.url, "console-reviewers");
  await page.setViewportSize({ width: 1440, height: 900 });
  const heading = page.getByRole("columnheader", { name: "Declined" });
  const rows = page.getByRole("rowheader");
  await rows.nth(1).waitFor();
  const [first = "", second = ""] = await rows.allTextContents();
  for (const [order, top] of [
    ["descending", second],
    ["ascending", first],
    ["none", first],
  ] as const) {
    await heading.getByRole("button").click();
    await expect(heading).toHaveAttribute("aria-sort", order);
    await expect(rows.first()).toHaveText(top);
  }
});

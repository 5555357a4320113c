import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { nightly, seenThemes, sizes } from "./support/browser.ts";
import { caller } from "./support/call.ts";
import { results } from "./support/fixtures.ts";
import { setUp } from "./support/owner.ts";
import { type Server, serve } from "./support/server.ts";
import { settled } from "./support/states.ts";
import { test } from "./support/test.ts";

// Retention with the real server: a session that ended is held, the setting says whom it reaches before it is saved, and the
// hold is released. By keyboard where it counts; things are found by role and label only. The server is its own, for the
// sessions that a setting reaches are counted.
const folder = join(results, "retention");
const widths = { desktop: sizes.desktop, ...(nightly ? { tablet: { width: 1024, height: 768 } } : {}) };

let server: Server;

test.beforeAll(async () => {
  server = await serve();
});

test.afterAll(async () => {
  await server?.stop();
});

const call = caller(() => server);

/** A session that has come to its end. */
async function ended(): Promise<string> {
  const { id } = await call("POST", "/v1/sessions", { external_reference: "customer-1" });
  await call("POST", `/v1/sessions/${id}/cancel`, {});
  return id;
}

async function looks(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(widths)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of seenThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page, colorScheme);
      if (nightly) await page.screenshot({ path: join(folder, `${name}.${size}.${colorScheme}.png`), fullPage: true });
      expect(await violations(page)).toEqual([]);
    }
  }
  await page.setViewportSize(sizes.desktop);
}

const retention = (id: string) => call("GET", `/v1/sessions/${id}`).then(({ keeping }) => keeping);

test.describe("retention", () => {
  test("is shortened by keyboard once it is said what goes sooner, and a hold is released", async ({ open }) => {
    const { page } = await open("desktop");
    await setUp(page, server.setupLink);
    await page.getByRole("link", { name: "Retention" }).waitFor();
    const held = await ended();
    const free = await ended();
    await page.goto(`${server.url}/console/sessions/${held}`);
    await page.getByRole("button", { name: "Set legal hold …" }).click();
    await page.getByLabel("Reason").fill("Claim of the customer, file 2026/118");
    await page.getByRole("button", { name: "Set hold" }).click();
    await page.getByRole("button", { name: "Lift legal hold" }).waitFor();

    await page.getByRole("link", { name: "Retention" }).click();
    await page.getByRole("cell", { name: "Claim of the customer, file 2026/118" }).waitFor();
    await page.getByText("Last run").waitFor();
    await page.getByText("1 session is on legal hold and left out.").waitFor();
    await looks(page, "page");

    const before = await retention(free);
    await page.getByRole("button", { name: "Change retention: Test sessions" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change retention: Test sessions" });
    await dialog.waitFor();
    await page.getByLabel("Unit").selectOption("hours");
    await page.getByLabel("Keep for").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("25");
    await dialog.getByText("1 hour to 1 day.", { exact: true }).waitFor();
    expect(await dialog.getByRole("button", { name: /^Set to/ }).isDisabled()).toBe(true);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("2");
    await dialog.getByText("The pictures of 1 finished session will be erased sooner.").waitFor();
    await dialog.getByText("All personal data of 1 finished session will be erased sooner.").waitFor();
    expect((await retention(free)).report_until).toBe(before.report_until);
    await looks(page, "shorten");
    await page.getByLabel("Keep for").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Test sessions: now kept for 2 hours.").waitFor();
    const after = await retention(free);
    const until = ({ report_until: at }: typeof before) => Date.parse(at ?? "");
    expect(until(before) - until(after)).toBe(22 * 3_600_000);

    await page.getByRole("button", { name: `Lift the hold on …${held.slice(-6)}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Lift the legal hold?" }).waitFor();
    await page.getByText("Its retention times apply again").waitFor();
    await looks(page, "release");
    await page.getByRole("button", { name: "Lift hold", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("No legal holds").waitFor();
    expect((await retention(held)).held_since).toBe(null);

    await page.getByRole("link", { name: "See past changes in the audit log" }).click();
    await page.getByText("pictures:2160 report:8760 test:2 audit:61320").waitFor();
  });
});

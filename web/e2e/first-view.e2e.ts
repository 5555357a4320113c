import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { caseStates } from "./states/cases.ts";
import { evidence, sessionStates } from "./states/session.ts";
import { answer, type State } from "./states/state.ts";
import { nightly, seenThemes } from "./support/browser.ts";
import { results, specimen } from "./support/fixtures.ts";
import { test } from "./support/test.ts";

// What a reviewer sees of a case and of a session without scrolling: what was decided, which checks did not pass, and what can be
// done. Also that facts are not broken inside words and dates.
const folder = join(results, "first-view");
const screens = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
] as const;

let pictures: Parameters<typeof evidence>[0];

test.beforeAll(() => {
  const { front, selfie } = specimen("passport", 3, "-width", "1600", "-height", "1200");
  pictures = { document: front, back: front, selfie, portrait: selfie, face: selfie, film: selfie };
});

const state = (all: readonly State[], name: string): State => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no state ${name}`);
  return found;
};

const bottomOf = async (one: Locator): Promise<number> => {
  const box = await one.boundingBox();
  if (!box) throw new Error(`${one} is not on the page`);
  return box.y + box.height;
};

/** The facts whose words or dates go on in another line in the middle. */
const broken = (page: Page): Promise<string[]> =>
  page.getByRole("table", { name: "Facts by source" }).evaluate((table) =>
    [...table.querySelectorAll("td, th")].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const word of (node.textContent ?? "").matchAll(/[^\s]+/g)) {
          const range = document.createRange();
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(word[0]);
        }
      }
      return found;
    }),
  );

/** By day the case, which has the bar of acts, where there is least room and in the layout of a laptop; the session on a desktop. */
const byDay = new Set(["a case at 390", "a case at 1024", "a session at 1440"]);

for (const viewport of screens) {
  const at = `${viewport.width} × ${viewport.height}`;
  for (const [what, one] of [
    ["a case", state(caseStates, "console-case")],
    ["a session", state(sessionStates, "console-session-referred")],
  ] as const)
    test(`${what} at ${at}: decision, checks and acts are in the first view`, {
      tag: byDay.has(`${what} at ${viewport.width}`) ? [] : "@nightly",
    }, async ({ open, site }) => {
      const { page, complaints } = await open("desktop", { viewport, timezoneId: "Europe/Berlin" });
      await answer(page, { ...evidence(pictures), ...one.api });
      await page.goto(site.url + one.path);
      const decision = page.getByRole("region", { name: "Decision", exact: true });
      const checks = page.getByRole("region", { name: "Checks" });
      await checks.waitFor();
      await page.getByRole("heading", { level: 1, name: "Anna María Eriksson" }).waitFor();
      const bar = page.locator("[data-bar]");
      const end = what === "a case" ? ((await bar.boundingBox())?.y ?? 0) : viewport.height;
      if (what === "a case") {
        expect(await bottomOf(bar)).toBeLessThanOrEqual(viewport.height);
        await bar.getByRole("button", { name: /^Approve/ }).waitFor();
      }
      expect(await bottomOf(decision)).toBeLessThanOrEqual(end);
      // On a laptop the pictures begin right below, and what they come to follows them.
      const [shown, verified] = ["Evidence", "Would be verified on approval"].map((name) =>
        page.getByRole("region", { name, exact: true }),
      );
      const top = async (part: Locator | undefined) => (await part?.boundingBox())?.y ?? Number.NaN;
      if (viewport.width < 1200) {
        expect(await top(shown)).toBeGreaterThan(await bottomOf(decision));
        expect(await top(verified)).toBeGreaterThan(await top(shown));
      }
      if (viewport.width === 1024) expect(await top(shown)).toBeLessThan(end - 100);
      const rows = checks.getByRole("listitem");
      const failed = (await rows.all()).slice(0, 3);
      expect(failed).toHaveLength(3);
      for (const row of failed) {
        await expect(row).toBeVisible();
        expect(await bottomOf(row)).toBeLessThanOrEqual(end);
      }
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect(await broken(page)).toEqual([]);
      if (nightly)
        for (const colorScheme of seenThemes) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({
            path: join(folder, `${what.replace(" ", "-")}.${viewport.width}.${colorScheme}.png`),
          });
        }
      expect(complaints).toEqual([]);
    });
}

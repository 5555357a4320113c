import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { languages } from "../src/i18n/languages.ts";
import { applicantStates } from "./states/applicant.ts";
import { answer, type Shown } from "./states/state.ts";
import { peek, peeked } from "./states/steps.ts";
import { violations } from "./support/axe.ts";
import { nightly } from "./support/browser.ts";
import { results } from "./support/fixtures.ts";
import { type Open, test } from "./support/test.ts";

// For whoever holds the phone sideways, has shaking hands, gets dizzy from motion, or hears the page: one screen of each kind.
const screens = [
  "start-test-mode",
  "consent",
  "choose",
  "passport-intro",
  "selfie-live-intro",
  "selfie-live-ways",
  "camera-missing",
  "waiting",
  "result-verified",
  "result-review",
  "result-declined-plain",
];
/** Of these by day: text, and a way that failed. */
const byDay = new Set(["consent", "camera-missing"]);
const pictures: Shown["pictures"] = { document: "", back: "", selfie: "", portrait: "", face: "", film: "" };

/** Whatever can be pressed and is smaller than 48 px either way; links within a line of text count by their line. */
const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, a[href], input:not([type=file]), summary")].flatMap((element) => {
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
      const hidden = width === 0 || getComputedStyle(element).visibility === "hidden";
      const skip = element.getAttribute("href") === "#content";
      if (hidden || skip || (Math.round(width) >= 48 && Math.round(height) >= 48)) return [];
      return [
        `${element.tagName} "${element.textContent?.trim().slice(0, 30)}" ${Math.round(width)} × ${Math.round(height)}`,
      ];
    }),
  );

test.describe("the person's pages, held sideways", () => {
  for (const state of applicantStates.filter(({ name }) => screens.includes(name)))
    test(`'${state.name}': fits, has targets of 48 px, stands still where that is asked, and has its heading in focus`, {
      tag: byDay.has(state.name) ? [] : "@nightly",
    }, async ({ open, site }) => {
      const { page } = await open("phone", { viewport: { width: 844, height: 390 }, permissions: [] });
      if (state.before) await page.addInitScript(state.before);
      await answer(page, state.api);
      await page.goto(site.url + state.path);
      await state.act?.({ url: site.url, page, pictures });
      await page.getByText(state.sees).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await small(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length),
      ).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    });
});

/** Lets a time pass at once for what the page's own style says after a while, and stop there. */
const pass = (page: Page, seconds: number) =>
  page.evaluate((at) => {
    const all = document.getAnimations();
    if (all.length === 0) throw new Error("nothing on the page waits");
    for (const animation of all) {
      // Only this function has stopped it before.
      if (animation.playState !== "running" && !animation.currentTime) throw new Error("it would never come");
      animation.pause();
      animation.currentTime = at;
    }
  }, seconds * 1000);

test.describe("a browser in which the page's script does not run", () => {
  test("is told so after a while, in every language, and not before", async ({ open, site }) => {
    const { page } = await open();
    await page.route("**/*.js", (route) => route.abort());
    await page.goto(`${site.url}/v/link`);
    const told = page.getByText(/your browser is too old for it/);
    expect(await told.isVisible()).toBe(false);
    await pass(page, 11);
    expect(await told.isVisible()).toBe(false);
    await pass(page, 13);
    await told.waitFor();
    for (const { tag } of Object.values(languages))
      expect([
        tag,
        await page.locator(tag === "en" ? ".late p:not([lang])" : `.late p[lang="${tag}"]`).isVisible(),
      ]).toEqual([tag, true]);
    expect(await violations(page)).toEqual([]);
    if (nightly) await page.screenshot({ path: join(results, "late.png"), fullPage: true });
  });
});

test.describe("a line on which the words do not come", () => {
  const german = { [peek]: { json: { ...peeked, locale: "de" } } };
  const files = (names: string) => new RegExp(`/(${names})-[\\w-]+\\.js`);

  const opened = async (
    open: Open,
    url: string,
    names: string,
  ): Promise<{ page: Page; through: () => Promise<void> }> => {
    const { page } = await open("desktop", { locale: "de-DE" });
    await answer(page, german);
    await page.route(files(names), (route) => route.abort());
    await page.goto(`${url}/v/link`);
    return { page, through: () => page.unroute(files(names)) };
  };

  test("is told of after a while, and the page comes to its words when they do, without being loaded again", async ({
    open,
    site,
  }) => {
    const { page, through } = await opened(open, site.url, Object.keys(languages).join("|"));
    await pass(page, 13);
    await page.getByText(/Diese Seite braucht lange/).waitFor({ timeout: 60_000 });
    await page.evaluate(() => Reflect.set(globalThis, "same", true));
    await through();
    await page.getByRole("button", { name: "Beginnen" }).waitFor({ timeout: 60_000 });
    expect(await page.locator(".late").count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, "same"))).toBe(true);
  });

  test("leaves the person with English only until their own language comes", { tag: "@nightly" }, async ({
    open,
    site,
  }) => {
    const { page, through } = await opened(open, site.url, "de");
    await page.getByRole("button", { name: "Start", exact: true }).waitFor({ timeout: 60_000 });
    await through();
    await page.getByRole("button", { name: "Beginnen" }).waitFor({ timeout: 60_000 });
    expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^de/);
  });
});

import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { languages } from "../src/i18n/languages.ts";
import { applicantStates, peek, peeked } from "./states/applicant.ts";
import { answer, type Shown } from "./states/state.ts";
import { violations } from "./support/axe.ts";
import { launch } from "./support/browser.ts";
import { results, webRoot } from "./support/fixtures.ts";
import { serveDist } from "./support/site.ts";

// For whoever holds the phone sideways, has shaking hands, gets dizzy from motion, or hears the page: one screen of each kind.
let browser: Browser;
let site: Awaited<ReturnType<typeof serveDist>>;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serveDist(`${webRoot}dist`)]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

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
const pictures: Shown["pictures"] = { document: "", back: "", selfie: "", portrait: "", face: "" };

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

describe("the person's pages, held sideways", () => {
  it.each(applicantStates.filter(({ name }) => screens.includes(name)))(
    "$name: fits, has targets of 48 px, stands still where that is asked, and has its heading in focus",
    async (state) => {
      const context = await browser.newContext({
        viewport: { width: 844, height: 390 },
        locale: "en-GB",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      try {
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
      } finally {
        await context.close();
      }
    },
  );
});

describe("a browser in which the page's script does not run", () => {
  it("is told so after a while, in every language, and not before", async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
    try {
      await page.route("**/*.js", (route) => route.abort());
      await page.goto(`${site.url}/v/link`);
      const told = page.getByText(/your browser is too old for it/);
      expect(await told.isVisible()).toBe(false);
      await told.waitFor({ timeout: 60_000 });
      for (const { tag } of Object.values(languages))
        expect([
          tag,
          await page.locator(tag === "en" ? ".late p:not([lang])" : `.late p[lang="${tag}"]`).isVisible(),
        ]).toEqual([tag, true]);
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: join(results, "late.png"), fullPage: true });
    } finally {
      await page.close();
    }
  });
});

describe("a line on which the words do not come", () => {
  const german = { [peek]: { json: { ...peeked, locale: "de" } } };
  const files = (names: string) => new RegExp(`/(${names})-[\\w-]+\\.js`);

  const visit = async (names: string, part: (page: Page, through: () => Promise<void>) => Promise<void>) => {
    const context = await browser.newContext({ locale: "de-DE", reducedMotion: "reduce" });
    const page = await context.newPage();
    try {
      await answer(page, german);
      await page.route(files(names), (route) => route.abort());
      await page.goto(`${site.url}/v/link`);
      await part(page, () => page.unroute(files(names)));
    } finally {
      await context.close();
    }
  };

  it("is told of after a while, and the page comes to its words when they do, without being loaded again", () =>
    visit(Object.keys(languages).join("|"), async (page, through) => {
      await page.getByText(/Diese Seite braucht lange/).waitFor({ timeout: 60_000 });
      await page.evaluate(() => Reflect.set(globalThis, "same", true));
      await through();
      await page.getByRole("button", { name: "Beginnen" }).waitFor({ timeout: 60_000 });
      expect(await page.locator(".late").count()).toBe(0);
      expect(await page.evaluate(() => Reflect.get(globalThis, "same"))).toBe(true);
    }));

  it("leaves the person with English only until their own language comes", () =>
    visit("de", async (page, through) => {
      await page.getByRole("button", { name: "Start", exact: true }).waitFor({ timeout: 60_000 });
      await through();
      await page.getByRole("button", { name: "Beginnen" }).waitFor({ timeout: 60_000 });
      expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^de/);
    }));
});

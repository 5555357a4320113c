import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { languages } from "../src/i18n/languages.ts";
import { applicantStates } from "./states/applicant.ts";
import { said } from "./states/languages.ts";
import { answer, type Shown, type State } from "./states/state.ts";
import { flow, front, live, press, unguided } from "./states/steps.ts";
import { sizes } from "./support/browser.ts";
import { results, specimen } from "./support/fixtures.ts";
import { contactSheet } from "./support/sheet.ts";
import { type Open, test } from "./support/test.ts";
import { wordsOf } from "./support/words.ts";

// Every language on the narrowest phone, and with letters of twice the size: nothing is cut off, runs out of its
// button, or scrolls sideways.
const screens = [
  "start-test-mode",
  "start-inapp",
  "consent",
  "choose",
  "card-intro",
  "selfie-live-again",
  "selfie-live-ways",
  "camera-denied",
  "review-selfie",
  "sending-paused",
  "retry-blurred",
  "waiting",
  "result-review",
  "result-declined",
  "opened-elsewhere",
];

const rightToLeft = (tag: string) => /^(Arab|Hebr)$/.test(new Intl.Locale(tag).maximize().script ?? "");

/** Of these by day: the longest words and the most buttons, in every language; of the cameras a language from right to left. */
const byDay = new Set(["selfie-live-again", "ar"]);

const narrow = { width: 320, height: 568 };

// With SHEET=1 these are photographed for a contact sheet. Chinese needs a typeface of the machine, such as Noto Sans CJK.
const sheet = process.env.SHEET === "1";
const folder = join(results, "languages");
const photographed = ["en", "de", "ar", "zh"];

let pictures: Shown["pictures"];

const pictureOf = (name: string, language: string) => `${name}.${language}.png`;

async function photograph(page: Page, name: string, language: string): Promise<void> {
  await page.setViewportSize(sizes.phone);
  await page.screenshot({ path: join(folder, pictureOf(name, language)) });
  await page.setViewportSize(narrow);
}

test.beforeAll(({ camera }) => {
  const passport = specimen("passport", 3, "-width", "1600", "-height", "1200");
  pictures = {
    document: passport.front,
    back: passport.front,
    selfie: passport.selfie,
    portrait: passport.selfie,
    face: passport.selfie,
    film: passport.selfie,
  };
  camera.show(passport.front);
});

async function opened(open: Open, url: string, state: State, locale: string): Promise<Page> {
  const { page } = await open("phone", { viewport: narrow, locale });
  if (state.before) await page.addInitScript(state.before);
  await answer(page, state.api);
  await page.goto(url + state.path);
  await state.act?.({ url, page, pictures });
  await page.getByText(state.sees).first().waitFor({ timeout: 15_000 });
  return page;
}

/** Elements whose words do not fit them. A brand's name may end in an ellipsis. */
const cramped = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const root = document.documentElement;
    const found = root.scrollWidth > root.clientWidth ? ["the page scrolls sideways"] : [];
    for (const element of document.querySelectorAll<HTMLElement>(
      "button, label, h1, p, li, dd, dt, select, [class*=badge]",
    )) {
      const style = getComputedStyle(element);
      const { left, right, width, height } = element.getBoundingClientRect();
      if (style.clipPath !== "none" || width <= 1 || height <= 1 || element.closest("[hidden]")) continue;
      const words = `${element.tagName} ${element.textContent?.slice(0, 40) ?? ""}`;
      if (left < -1 || right > innerWidth + 1) found.push(`beyond the edge: ${words}`);
      else if (element.scrollWidth > element.clientWidth + 1 && style.display !== "inline")
        found.push(`too narrow: ${words}`);
      else if (element.tagName === "BUTTON" && element.scrollHeight > element.clientHeight + 1)
        found.push(`too low: ${words}`);
    }
    return found;
  });

const doubled = (page: Page, on: boolean) =>
  page.evaluate((large) => document.documentElement.style.setProperty("font-size", large ? "200%" : "100%"), on);

test.afterAll(async ({ browser }) => {
  if (!sheet) return;
  const cells = (name: string) =>
    photographed.map((language) => ({
      file: pictureOf(name, language),
      shows: `${name}, ${language}`,
      size: "phone" as const,
    }));
  await contactSheet(browser, folder, Object.fromEntries(screens.map((name) => [name, cells(name)])));
});

test.describe("each language fits", () => {
  const wanted = applicantStates.filter(({ name }) => screens.includes(name));
  test("the table names screens that there are", () => {
    expect(wanted.length).toBe(screens.length);
  });

  for (const state of wanted)
    test(`the screen '${state.name}', 320 px wide and with letters of twice the size`, {
      tag: byDay.has(state.name) ? [] : "@nightly",
    }, async ({ open, site }) => {
      const page = await opened(open, site.url, state, "en-GB");
      const found: string[] = [];
      for (const [language, { tag }] of Object.entries(languages)) {
        await page.locator("footer select").selectOption(language);
        await page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag);
        expect(await page.evaluate(() => document.documentElement.dir)).toBe(rightToLeft(tag) ? "rtl" : "ltr");
        found.push(...(await cramped(page)).map((line) => `${language}: ${line}`));
        if (sheet && photographed.includes(language)) await photograph(page, state.name, language);
        await doubled(page, true);
        found.push(...(await cramped(page)).map((line) => `${language}, twice: ${line}`));
        await doubled(page, false);
      }
      expect(found).toEqual([]);
    });

  for (const [language, { tag }] of Object.entries(languages))
    test(`the cameras in ${language}`, { tag: byDay.has(language) ? [] : "@nightly" }, async ({ open, site }) => {
      const words = wordsOf(language);
      const act = press(said(words, "capture.camera"));
      const found: string[] = [];
      for (const state of [
        flow("document", front, said(words, "camera.hint.passport"), { before: unguided, act }),
        flow("face", live({ gentle: true }), said(words, "live.aim"), { before: unguided, act }),
      ]) {
        const page = await opened(open, site.url, state, tag);
        found.push(...(await cramped(page)).map((line) => `${state.name}: ${line}`));
        await doubled(page, true);
        found.push(...(await cramped(page)).map((line) => `${state.name}, twice: ${line}`));
      }
      expect(found).toEqual([]);
    });
});

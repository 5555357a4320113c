import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicantStates } from "./states/applicant.ts";
import { consoleStates } from "./states/console.ts";
import { handoffStates } from "./states/handoff.ts";
import { languageStates } from "./states/languages.ts";
import { evidence } from "./states/session.ts";
import { answer, type Shown, type State } from "./states/state.ts";
import { AxeReport } from "./support/accessibility.ts";
import { violations } from "./support/axe.ts";
import { launch, type Size, sizes, themes } from "./support/browser.ts";
import { cropped } from "./support/crop.ts";
import { fakeCamera, results, specimen, webRoot } from "./support/fixtures.ts";
import { contactSheet } from "./support/sheet.ts";
import { serveDist } from "./support/site.ts";

// Every screen in every state, on a phone and on a desktop, light and dark: it shows what it should, breaks no
// rule of the content policy, logs no error, and axe finds nothing. Pictures are taken of what fails, and of all for the
// contact sheet (`npm run screens`) or for the screens that SCREENS names: taking them is a third of the time.
const folder = join(results, "screens");
const only = process.env.SCREENS ? new RegExp(process.env.SCREENS) : undefined;
const sheet = process.env.SHEET === "1";
const photographing = sheet || only !== undefined;
const report = new AxeReport();
const groups = {
  applicant: applicantStates,
  languages: languageStates,
  handoff: handoffStates,
  console: consoleStates,
};
const names = (states: readonly State[]) => states.map(({ name }) => name);

/** A browser for each thing that a camera looks at, so that screens can be walked through side by side. */
let before: { document: Browser; selfie: Browser };
let site: Awaited<ReturnType<typeof serveDist>>;
let pictures: Shown["pictures"];
const cameras = { document: fakeCamera("screens-document"), selfie: fakeCamera("screens-selfie") };

beforeAll(async () => {
  const passport = specimen("passport", 3, "-width", "1600", "-height", "1200");
  const card = specimen("id_card", 3, "-width", "1600", "-height", "1200");
  cameras.document.show(passport.front);
  cameras.selfie.show(passport.selfie);
  before = { document: await launch(cameras.document.path), selfie: await launch(cameras.selfie.path) };
  const crop = (from: string, to: string, box: [number, number, number, number]) =>
    cropped(before.document, from, join(results, "fixtures", to), box);
  pictures = {
    document: passport.front,
    back: card.back,
    selfie: passport.selfie,
    portrait: await crop(passport.front, "portrait.jpg", [0.115, 0.28, 0.225, 0.36]),
    face: await crop(passport.selfie, "face.jpg", [0.36, 0.14, 0.28, 0.66]),
  };
  if (!only) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  site = await serveDist(join(webRoot, "dist"));
});

afterAll(async () => {
  report.keep({
    "The applicant's screens": names(groups.applicant),
    "In other languages and colours": names(groups.languages),
    "Another device": names(groups.handoff),
    "The console": names(groups.console),
  });
  if (before && sheet)
    await contactSheet(
      before.document,
      folder,
      [...applicantStates, ...handoffStates, ...languageStates, ...consoleStates].map(({ name }) => name),
    );
  await before?.document.close();
  await before?.selfie.close();
  await site?.close();
});

/** What is wrong with the page as it stands, in one size: what axe finds, and whether it scrolls sideways. */
async function look(page: Page, state: State, size: Size): Promise<string[]> {
  await page.setViewportSize(sizes[size]);
  const found: string[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await settled(page, theme);
    const broken = await violations(page, theme === "dark" ? "colours" : "everything");
    report.note(state.name, size, theme, broken.length);
    const here = [...broken, ...(await sideways(page))];
    if (photographing || here.length > 0)
      await page.screenshot({ path: join(folder, `${state.name}.${size}.${theme}.png`) });
    found.push(...here.map((line) => `${size}, ${theme}: ${line}`));
  }
  return found;
}

/**
 * Waits until the theme has reached every element (the console's library sets an attribute of its own for it) and what
 * moves has come to rest, but for what never does.
 */
async function settled(page: Page, theme: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted,
    theme,
  );
  await page.evaluate(async () => {
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.race([
      Promise.allSettled(ending.map((one) => one.finished)),
      new Promise<void>((resolve) => setTimeout(resolve, 1000)),
    ]);
  });
}

async function sideways(page: Page): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide <= 0) return [];
  const culprit = await page.evaluate(() => {
    const beyond = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 || element.getBoundingClientRect().left < -1,
    );
    return beyond
      .map((element) => `${element.tagName}.${element.getAttribute("class") ?? ""}`)
      .slice(0, 5)
      .join(" ");
  });
  return [`scrolls sideways by ${wide} px: ${culprit}`];
}

async function show(state: State): Promise<void> {
  const context = await before[/selfie/.test(state.name) ? "selfie" : "document"].newContext({
    viewport: sizes.phone,
    locale: state.locale ?? "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    permissions: ["camera"],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // Answers that are problems and a lost connection are part of what is shown here.
    if (message.type() === "error" && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  try {
    if (state.before) await page.addInitScript(state.before);
    await answer(page, { ...evidence(pictures), ...state.api });
    await page.goto(site.url + state.path);
    await state.act?.({ url: site.url, page, pictures });
    await page.getByText(state.sees).first().waitFor({ timeout: 15_000 });
    const found = [...(await look(page, state, "phone")), ...(await look(page, state, "desktop"))];
    await page.setViewportSize({ width: 320, height: 568 });
    await settled(page, "dark");
    found.push(...(await sideways(page)).map((line) => `320 px wide: ${line}`));
    expect([...found, ...complaints]).toEqual([]);
  } finally {
    await context.close();
  }
}

const wanted = (states: State[]) => states.filter((state) => !only || only.test(state.name));

for (const [group, states] of Object.entries(groups)) {
  if (wanted(states).length === 0) continue;
  describe.concurrent(group, () => {
    for (const state of wanted(states)) {
      it(`${state.name} shows what it should, and axe finds nothing on a phone or a desktop, light or dark`, () =>
        show(state));
    }
  });
}

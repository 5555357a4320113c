import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { applicantStates } from "./states/applicant.ts";
import { backStates } from "./states/back.ts";
import { consoleStates } from "./states/console.ts";
import { earlyStates } from "./states/early.ts";
import { fileStates } from "./states/files.ts";
import { handoffStates } from "./states/handoff.ts";
import { languageStates } from "./states/languages.ts";
import { resumeStates } from "./states/resume.ts";
import { evidence } from "./states/session.ts";
import { answer, type Shown, type State } from "./states/state.ts";
import { type Checked, keepFound, writePage } from "./support/accessibility.ts";
import { violations } from "./support/axe.ts";
import { nightly, type Size, seenThemes, sizes, themes } from "./support/browser.ts";
import { arranged, cropped } from "./support/crop.ts";
import { type Camera, framedFace, results, specimen } from "./support/fixtures.ts";
import { contactSheet, readableSheets, sizesOf } from "./support/sheet.ts";
import { settled } from "./support/states.ts";
import { type Open, test } from "./support/test.ts";

// Every screen in every state, on a phone, a laptop (the console) and a desktop, light and dark: it shows what it should, breaks no
// rule of the content policy, logs no error, and axe finds nothing. Pictures are taken of what fails, and of all for the
// contact sheet (`npm run screens`) or for the screens that SCREENS names: taking them is a third of the time. By day a few of
// each kind are looked at, in the light theme.
const folder = join(results, "screens");
const only = process.env.SCREENS ? new RegExp(process.env.SCREENS) : undefined;
const sheet = process.env.SHEET === "1";
const photographing = sheet || only !== undefined;
const groups = {
  applicant: applicantStates,
  languages: languageStates,
  back: backStates,
  early: earlyStates,
  files: fileStates,
  handoff: handoffStates,
  resume: resumeStates,
  console: consoleStates,
};
const names = (states: readonly State[]) => states.map(({ name }) => name);

/** What is looked at by day: of both apps what reads, asks, lists, opens a dialog, fails or uses the camera, and what goes from right to left. */
const byDay = new Set([
  "start",
  "consent-optional",
  "camera-selfie-hold",
  "selfie-live-lit",
  "camera-denied",
  "retry-blurred",
  "stop-dialog",
  "result-declined",
  "arabic-consent",
  "brand-pale",
  "console-overview",
  "console-sessions-filtered",
  "console-case-decline",
  "console-blocklist-face",
  "console-blocklist-session",
  "console-session-referred",
  "console-workflow-draft",
  "console-webhook-new",
]);

for (const name of byDay)
  if (!Object.values(groups).flatMap(names).includes(name)) throw new Error(`there is no screen ${name}`);

let pictures: Shown["pictures"];

test.beforeAll(async ({ browser }) => {
  const passport = specimen("passport", 3, "-width", "1600", "-height", "1200");
  const card = specimen("id_card", 3, "-width", "1600", "-height", "1200");
  const crop = (from: string, to: string, box: [number, number, number, number]) =>
    cropped(browser, from, join(results, "fixtures", to), box);
  pictures = {
    document: passport.front,
    back: card.back,
    selfie: passport.selfie,
    portrait: await crop(passport.front, "portrait.jpg", [0.115, 0.28, 0.225, 0.36]),
    face: await crop(passport.selfie, "face.jpg", [0.36, 0.14, 0.28, 0.66]),
    // A run of frames as the server shows it: 24 of them, six a row.
    film: await arranged(
      browser,
      await crop(passport.selfie, "near.jpg", [0.2, 0, 0.5, 1]),
      join(results, "fixtures", "film.jpg"),
      Array.from({ length: 24 }, (_, i) => ({ x: (i % 6) * 266.67, y: Math.floor(i / 6) * 300, width: 267 })),
    ),
  };
});

test.afterAll(async ({ browser }) => {
  writePage({
    "The applicant's screens": names(groups.applicant),
    "In other languages and colours": names(groups.languages),
    "Going back": names(groups.back),
    "What was read before the next step": names(groups.early),
    "Files instead of a camera": names(groups.files),
    "Another device": names(groups.handoff),
    "Coming back later": names(groups.resume),
    "The console": names(groups.console),
  });
  if (!sheet) return;
  test.setTimeout(600_000);
  const all = Object.values(groups).flatMap(names);
  await contactSheet(browser, folder, Object.fromEntries(all.map((name) => [name, sizesOf(name)])));
  await readableSheets(browser, folder, all);
});

/** What is wrong with the page as it stands, in one size: what axe finds, and whether it scrolls sideways. */
async function look(page: Page, state: State, size: Size): Promise<string[]> {
  await page.setViewportSize(sizes[size]);
  const found: string[] = [];
  const counts: Checked = {};
  for (const theme of only ? themes : seenThemes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await settled(page, theme);
    const broken = await violations(page, theme === "dark" ? "colours" : "everything");
    counts[`${size} ${theme}`] = broken.length;
    const here = [...broken, ...(await sideways(page))];
    if (photographing || here.length > 0)
      await page.screenshot({ path: join(folder, `${state.name}.${size}.${theme}.png`) });
    found.push(...here.map((line) => `${size}, ${theme}: ${line}`));
  }
  keepFound(state.name, counts);
  return found;
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

async function show(open: Open, url: string, camera: Camera, state: State): Promise<void> {
  for (const size of ["phone", "laptop", "desktop"])
    for (const theme of themes) rmSync(join(folder, `${state.name}.${size}.${theme}.png`), { force: true });
  // A face that is not in the oval has the challenge wait for it.
  if (state.name === "selfie-live-lit") camera.show(framedFace());
  else camera.show(/selfie/.test(state.name) ? pictures.selfie : pictures.document);
  const { page, complaints } = await open("phone", { locale: state.locale ?? "en-GB", timezoneId: "Europe/Berlin" });
  if (state.before) await page.addInitScript(state.before);
  await answer(page, { ...evidence(pictures), ...state.api });
  await page.goto(url + state.path);
  await state.act?.({ url, page, pictures });
  await page.getByText(state.sees).first().waitFor({ timeout: 15_000 });
  // Reviewers work on laptops; applicants do not.
  const widths: Size[] =
    nightly && state.name.startsWith("console-") ? ["phone", "laptop", "desktop"] : ["phone", "desktop"];
  const found: string[] = [];
  for (const width of widths) found.push(...(await look(page, state, width)));
  await page.setViewportSize({ width: 320, height: 568 });
  await settled(page, only || nightly ? "dark" : "light");
  found.push(...(await sideways(page)).map((line) => `320 px wide: ${line}`));
  expect([...found, ...complaints]).toEqual([]);
}

for (const [group, states] of Object.entries(groups)) {
  const wanted = states.filter((state) => !only || only.test(state.name));
  if (wanted.length === 0) continue;
  test.describe(group, () => {
    test.describe.configure({ mode: "parallel" });
    for (const state of wanted)
      test(
        `${state.name} shows what it should, and axe finds nothing on a phone or a desktop, light or dark`,
        { tag: only || byDay.has(state.name) ? [] : "@nightly" },
        ({ open, site, camera }) => show(open, site.url, camera, state),
      );
  });
}

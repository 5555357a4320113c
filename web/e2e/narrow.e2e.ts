import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { SessionFile } from "../src/api/wire.ts";
import { caseStates } from "./states/cases.ts";
import { evidence, referred } from "./states/session.ts";
import { base } from "./states/specimen.ts";
import { type Api, answer, type State } from "./states/state.ts";
import { nightly, themes } from "./support/browser.ts";
import { results, specimen } from "./support/fixtures.ts";
import { type Open, test } from "./support/test.ts";

// The page of a case on a phone: nothing on it is wider than the phone, also not inside of what could scroll by itself, and
// what is pressed there is as high as a thumb.
const folder = join(results, "narrow");
const long = "Wolfeschlegelsteinhausenbergerdorff";

let pictures: Parameters<typeof evidence>[0];

test.beforeAll(() => {
  const { front, selfie } = specimen("passport", 3, "-width", "1600", "-height", "1200");
  pictures = { document: front, back: front, selfie, portrait: selfie, face: selfie, film: selfie };
});

const state = (name: string): State => {
  const found = caseStates.find((one) => one.name === name);
  if (!found) throw new Error(`there is no state ${name}`);
  return found;
};

/** The session of the case with every source there is, and a name that no line holds. */
const widest: SessionFile = {
  ...referred,
  report: referred.report && {
    ...referred.report,
    claims: (["claimed", "printed", "mrz", "barcode"] as const).flatMap((source) => [
      { name: "family_name", value: long, source, confidence: 1 },
      { name: "date_of_birth", value: "1984-10-27", source, confidence: 1 },
    ]),
  },
};

/** What is wider than its place, or beyond the edge of the page. What is there for readers of screens alone takes no place. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said = (element: Element) => `${element.tagName} ${element.textContent?.slice(0, 40) ?? ""}`;
    const seen = [...document.querySelectorAll("body *")].filter(
      (element) => element.clientWidth > 1 && !(element instanceof SVGElement) && !element.closest('[class*="area"]'),
    );
    const root = document.documentElement;
    return [
      ...(root.scrollWidth > root.clientWidth ? [`the page, by ${root.scrollWidth - root.clientWidth} px`] : []),
      ...seen
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
        .map((one) => `beyond the edge: ${said(one)}`),
      ...seen
        .filter((one) => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `cut or scrolled by ${one.scrollWidth - one.clientWidth} px: ${said(one)}`),
    ];
  });

async function opened(open: Open, url: string, one: State, width: number, more: Api = {}): Promise<Page> {
  const { page } = await open("phone", { viewport: { width, height: 844 }, timezoneId: "Europe/Berlin" });
  await answer(page, { ...evidence(pictures), ...one.api, ...more });
  await page.goto(url + one.path);
  await page.getByText(one.sees).first().waitFor();
  await page.getByRole("table", { name: "Facts by source" }).waitFor();
  return page;
}

async function photographed(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}.${colorScheme}.png`) });
    await page.getByRole("table", { name: "Facts by source" }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, `${name}.full.${colorScheme}.png`), fullPage: true });
  }
}

/** By day the widest content on the narrowest phone, and the usual on the usual. */
const byDay = new Set(["with every source of facts and a long name, 320"]);
const shown: readonly (readonly [what: string, name: string, more: Api])[] = [
  ["somebody's own", "console-case", {}],
  ["nobody's", "console-case-open", {}],
  ["with every source of facts and a long name", "console-case", { [`GET ${base}`]: { json: widest } }],
];

for (const width of [390, 320])
  test.describe(`the page of a case, ${width} px wide`, () => {
    for (const [what, name, more] of shown)
      test(`${what}: nothing is wider than the phone, and no button lower than 48 px`, {
        tag: byDay.has(`${what}, ${width}`) ? [] : "@nightly",
      }, async ({ open, site }) => {
        const page = await opened(open, site.url, state(name), width, more);
        if (nightly) await photographed(page, `${what.replaceAll(/\W+/g, "-")}.${width}`);
        expect(await tooWide(page)).toEqual([]);
        const bar = page.locator("[data-bar]");
        const sizes = await bar
          .getByRole("button")
          .evaluateAll((all) =>
            all.map((one) => [one.textContent, one.clientHeight + 2 >= 48, one.scrollWidth <= one.clientWidth]),
          );
        expect(sizes.length).toBeGreaterThan(5);
        expect(sizes.filter(([, high, whole]) => !high || !whole)).toEqual([]);
        if (width === 390) expect((await bar.boundingBox())?.height).toBeLessThan(145);
      });
  });

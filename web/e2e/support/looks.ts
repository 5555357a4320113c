import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { nightly, seenThemes, sizes } from "./browser.ts";
import { results } from "./fixtures.ts";
import { settled } from "./states.ts";

const tablet = { width: 1024, height: 768 };
const widths = { ...sizes, tablet };

/**
 * Photographs a page at three widths in each theme that is looked at, with axe clean, and leaves it at a desktop's width or
 * the one named. By day it is looked at in that width alone, and not photographed.
 */
export async function looks(
  page: Page,
  folder: string,
  name: string,
  then: keyof typeof widths = "desktop",
): Promise<void> {
  mkdirSync(join(results, folder), { recursive: true });
  for (const [size, viewport] of Object.entries(nightly ? widths : { [then]: widths[then] })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of seenThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page, colorScheme);
      if (nightly)
        await page.screenshot({ path: join(results, folder, `${name}.${size}.${colorScheme}.png`), fullPage: true });
      expect(await violations(page), `${name} at ${size} in ${colorScheme}`).toEqual([]);
    }
  }
  await page.setViewportSize(widths[then]);
}

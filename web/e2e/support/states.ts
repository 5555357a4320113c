import type { Page } from "@playwright/test";

/** Waits until every picture on the page has come, and text is in its own font. */
export async function pictured(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
  await page.evaluate(() => document.fonts.ready);
}

/** Waits until a theme has reached every element: the console's library sets an attribute of its own for it. */
async function themed(page: Page, theme: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted,
    theme,
  );
}

/** Waits until the page has a theme, and what moves has come to rest, but for what never does. */
export async function settled(page: Page, theme: string): Promise<void> {
  await themed(page, theme);
  await page.evaluate(async () => {
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.race([
      Promise.allSettled(ending.map((one) => one.finished)),
      new Promise<void>((resolve) => setTimeout(resolve, 1000)),
    ]);
  });
}

/** Waits until the camera shows something. */
export const playing = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0);

/** Waits until the camera has shown so many seconds more. */
export async function played(page: Page, seconds: number): Promise<void> {
  await playing(page);
  const until = (await page.evaluate(() => document.querySelector("video")?.currentTime ?? 0)) + seconds;
  await page.waitForFunction((at) => (document.querySelector("video")?.currentTime ?? 0) >= at, until);
}

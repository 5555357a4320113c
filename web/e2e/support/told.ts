import type { Page } from "playwright-core";

/** Keeps what the live regions of a page say, in their order: what a screen reader is told. Before the page is opened. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = [];
    const last = new WeakMap<Element, string>();
    Reflect.set(globalThis, "said", said);
    new MutationObserver(() => {
      for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
        const words = region.textContent?.trim() ?? "";
        if (words && last.get(region) !== words) said.push(words);
        last.set(region, words);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

export const told = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, "said"));

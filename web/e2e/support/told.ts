import type { Page } from "@playwright/test";

/** Keeps what the live regions of a page say, in their order: what a screen reader is told. Before the page is opened. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const said: string[] = [];
    const regions = "[role=status], [role=alert]";
    Reflect.set(globalThis, "said", said);
    // Whatever changes within a region has it read again, the same words too; a region that comes with words is read as well.
    new MutationObserver((changes) => {
      const touched = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const around = (target instanceof Element ? target : target.parentElement)?.closest(regions);
        if (around) touched.add(around);
        for (const added of addedNodes) {
          if (!(added instanceof Element)) continue;
          if (added.matches(regions)) touched.add(added);
          for (const within of added.querySelectorAll(regions)) touched.add(within);
        }
      }
      for (const region of touched) {
        const words = region.isConnected ? region.textContent?.trim() : "";
        if (words) said.push(words);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

export const told = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, "said"));

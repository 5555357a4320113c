import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page } from "playwright-core";

/** Screens in their order, side by side in one picture. */
export class Strip {
  readonly #to: string;
  readonly #screens: string[] = [];
  constructor(to: string) {
    this.#to = to;
  }

  async add(page: Page): Promise<void> {
    this.#screens.push((await page.screenshot()).toString("base64"));
  }

  async write(browser: Browser): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    const screens = this.#screens.map((one, i) => `<img src="data:image/png;base64,${one}" alt="screen ${i + 1}">`);
    await page.setContent(
      `<style>body{margin:16px;background:#dfe4ea;display:flex;flex-wrap:wrap;gap:12px}img{width:250px;border-radius:8px}</style>${screens.join("")}`,
    );
    mkdirSync(dirname(this.#to), { recursive: true });
    writeFileSync(this.#to, await page.screenshot({ fullPage: true }));
    await page.close();
  }
}

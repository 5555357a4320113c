import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { nightly } from "./browser.ts";

type Screen = { caption: string; picture: string };

/** Screens of a phone in their order, side by side in one small picture (WebP), by night only: while one is taken, the camera stands still. */
export class Strip {
  readonly #to: string;
  readonly #screens: Screen[] = [];
  constructor(to: string) {
    this.#to = to;
  }

  async add(page: Page, caption: string): Promise<void> {
    if (!nightly) return;
    const picture = (await page.screenshot()).toString("base64");
    this.#screens.push({
      caption: `${this.#screens.length + 1}  ${caption}`,
      picture: `data:image/png;base64,${picture}`,
    });
  }

  async write(browser: Browser): Promise<void> {
    if (!nightly) return;
    const page = await browser.newPage();
    const url = await page.evaluate(drawn, this.#screens);
    await page.close();
    mkdirSync(dirname(this.#to), { recursive: true });
    writeFileSync(this.#to, Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  }
}

/** Runs in the browser. */
async function drawn(screens: Screen[]): Promise<string> {
  const [across, width, height, gap, line] = [6, 234, 506, 16, 30];
  const canvas = document.createElement("canvas");
  canvas.width = gap + across * (width + gap);
  canvas.height = gap + Math.ceil(screens.length / across) * (height + line + gap);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#dfe4ea";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  for (const [i, { caption, picture }] of screens.entries()) {
    const image = new Image();
    image.src = picture;
    await image.decode();
    const [x, y] = [gap + (i % across) * (width + gap), gap + Math.floor(i / across) * (height + line + gap)];
    context.fillStyle = "#0b1f33";
    context.font = "600 15px system-ui, sans-serif";
    context.fillText(caption, x, y + 18);
    context.drawImage(image, x, y + line, width, height);
  }
  return canvas.toDataURL("image/webp", 0.82);
}

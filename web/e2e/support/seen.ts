import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page } from "@playwright/test";

type Row = { caption: string; applicant: string; reviewer: string };

const pictured = async (page: Page) => `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;

/** A sheet of what applicant and reviewer see at the end: one row a session, both side by side, in one small picture (WebP). */
export class Seen {
  readonly #to: string;
  readonly #rows: Row[] = [];
  constructor(to: string) {
    this.#to = to;
  }

  async add(caption: string, applicant: Page, reviewer: Page): Promise<void> {
    this.#rows.push({ caption, applicant: await pictured(applicant), reviewer: await pictured(reviewer) });
  }

  /** Writes the sheet anew, so that it is there as far as the tests came. */
  async write(browser: Browser): Promise<void> {
    const page = await browser.newPage();
    const url = await page.evaluate(drawn, this.#rows);
    await page.close();
    mkdirSync(dirname(this.#to), { recursive: true });
    writeFileSync(this.#to, Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
  }
}

/** Runs in the browser. */
async function drawn(rows: Row[]): Promise<string> {
  const [high, phone, desk, gap, line] = [506, 234, 810, 16, 30];
  const canvas = document.createElement("canvas");
  const wide = phone + desk + gap;
  canvas.width = 2 * wide + 3 * gap;
  canvas.height = gap + Math.ceil(rows.length / 2) * (high + line + gap);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#dfe4ea";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  for (const [i, { caption, applicant, reviewer }] of rows.entries()) {
    const [x, y] = [gap + (i % 2) * (wide + gap), gap + Math.floor(i / 2) * (high + line + gap)];
    context.fillStyle = "#0b1f33";
    context.font = "600 15px system-ui, sans-serif";
    context.fillText(caption, x, y + 18);
    for (const [source, left, width] of [
      [applicant, x, phone],
      [reviewer, x + phone + gap, desk],
    ] as const) {
      const image = new Image();
      image.src = source;
      await image.decode();
      context.drawImage(image, left, y + line, width, high);
    }
  }
  return canvas.toDataURL("image/webp", 0.82);
}

import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { replaceFile } from "./fixtures.ts";

/** Cuts a part (x, y, width, height as parts of the whole) out of a picture, with the browser that is there anyway. */
export async function cropped(
  browser: Browser,
  from: string,
  to: string,
  [x, y, width, height]: [number, number, number, number],
): Promise<string> {
  const page = await browser.newPage();
  const source = `data:image/jpeg;base64,${readFileSync(from).toString("base64")}`;
  const out = await page.evaluate(
    async ([url, box]) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(image.width * box.width);
      canvas.height = Math.round(image.height * box.height);
      canvas.getContext("2d")?.drawImage(image, -image.width * box.x, -image.height * box.y);
      return canvas.toDataURL("image/jpeg", 0.9);
    },
    [source, { x, y, width, height }] as const,
  );
  await page.close();
  replaceFile(to, Buffer.from(out.slice(out.indexOf(",") + 1), "base64"));
  return to;
}

/** Lays a picture on a grey ground of 1600 × 1200 as often as it is asked for: where its left upper corner is and how wide it is. */
export async function arranged(
  browser: Browser,
  from: string,
  to: string,
  places: readonly { x: number; y: number; width: number }[],
): Promise<string> {
  const page = await browser.newPage();
  const source = `data:image/jpeg;base64,${readFileSync(from).toString("base64")}`;
  const out = await page.evaluate(
    async ([url, at]) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1600, 1200];
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.fillStyle = "#b4b9bf";
      context.fillRect(0, 0, canvas.width, canvas.height);
      for (const { x, y, width } of at) context.drawImage(image, x, y, width, (width * image.height) / image.width);
      return canvas.toDataURL("image/jpeg", 0.9);
    },
    [source, [...places]] as const,
  );
  await page.close();
  replaceFile(to, Buffer.from(out.slice(out.indexOf(",") + 1), "base64"));
  return to;
}

/** Lays a picture over a part (x, y, width, height as parts of the whole) of another, and saves that as an editor does. */
export async function pasted(
  browser: Browser,
  onto: string,
  from: string,
  to: string,
  [x, y, width, height]: [number, number, number, number],
): Promise<string> {
  const page = await browser.newPage();
  const [below, above] = [onto, from].map((file) => `data:image/jpeg;base64,${readFileSync(file).toString("base64")}`);
  const out = await page.evaluate(
    async ([ground, patch, box]) => {
      const opened = async (source: string) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
      };
      const [page, portrait] = [await opened(ground), await opened(patch)];
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [page.naturalWidth, page.naturalHeight];
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.drawImage(page, 0, 0);
      const [wide, high] = [canvas.width, canvas.height];
      context.drawImage(portrait, wide * box.x, high * box.y, wide * box.width, high * box.height);
      return canvas.toDataURL("image/jpeg", 0.97);
    },
    [below ?? "", above ?? "", { x, y, width, height }] as const,
  );
  await page.close();
  replaceFile(to, Buffer.from(out.slice(out.indexOf(",") + 1), "base64"));
  return to;
}

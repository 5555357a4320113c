import { readFileSync, writeFileSync } from "node:fs";
import type { Browser } from "playwright-core";

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
  writeFileSync(to, Buffer.from(out.slice(out.indexOf(",") + 1), "base64"));
  return to;
}

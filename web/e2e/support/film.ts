import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Browser } from "@playwright/test";

/** What a camera shows from a moment on, in milliseconds since the film began. */
export type Shown = { at: number; picture: string };

/**
 * Writes a film that Chromium plays as its camera, at a rate that a busy machine keeps up with (its other form, Motion
 * JPEG, is always 30 a second). The pictures are JPEG files of one size, turned into I420 by the browser that is there anyway.
 */
export async function writeFilm(
  browser: Browser,
  to: string,
  shown: Shown[],
  { seconds, rate }: { seconds: number; rate: number },
): Promise<void> {
  const page = await browser.newPage();
  const frames = new Map<string, Buffer>();
  let size = { width: 0, height: 0 };
  for (const { picture } of shown) {
    if (frames.has(picture)) continue;
    const source = `data:image/jpeg;base64,${readFileSync(picture).toString("base64")}`;
    const { width, height, planes } = await page.evaluate(planesOf, source);
    size = { width, height };
    frames.set(picture, Buffer.from(planes, "base64"));
  }
  await page.close();
  const file = openSync(to, "w");
  writeSync(file, `YUV4MPEG2 W${size.width} H${size.height} F${rate}:1 Ip A1:1 C420jpeg\n`);
  for (let at = 0; at < seconds * 1000; at += 1000 / rate) {
    const now = shown.findLast((one) => one.at <= at) ?? shown[0];
    const frame = now && frames.get(now.picture);
    if (!frame) throw new Error("an empty film");
    writeSync(file, "FRAME\n");
    writeSync(file, frame);
  }
  closeSync(file);
}

/** Runs in the browser: brightness and colour of a picture as I420 (BT.601, video range), in base64. */
async function planesOf(source: string): Promise<{ width: number; height: number; planes: string }> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const [w, h] = [width >> 1, height >> 1];
  const out = new Uint8Array(width * height + 2 * w * h);
  const at = (i: number) => [data[4 * i] ?? 0, data[4 * i + 1] ?? 0, data[4 * i + 2] ?? 0] as const;
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = at(i);
    out[i] = 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256;
  }
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [r, g, b] = at(2 * y * width + 2 * x);
      out[width * height + y * w + x] = 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256;
      out[width * height + w * h + y * w + x] = 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256;
    }
  }
  let text = "";
  for (let i = 0; i < out.length; i += 32_768) text += String.fromCharCode(...out.subarray(i, i + 32_768));
  return { width, height, planes: btoa(text) };
}

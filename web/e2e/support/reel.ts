import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Page } from "@playwright/test";
import { sizes } from "./browser.ts";

const perSecond = 5;
const { width, height } = sizes.desktop;

/** Films a page into a WebM file, five pictures a second, until what it returns is called. Windows of any size are shown whole. */
export async function film(page: Page, to: string): Promise<() => Promise<void>> {
  mkdirSync(dirname(to), { recursive: true });
  const whole = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`;
  const input = ["-f", "image2pipe", "-c:v", "mjpeg", "-framerate", `${perSecond}`, "-i", "-"];
  const output = ["-vf", whole, "-c:v", "libvpx", "-b:v", "800k", "-deadline", "realtime", to];
  const encoder = spawn("ffmpeg", ["-loglevel", "error", "-y", ...input, ...output], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(encoder, "close");
  encoder.stdin.on("error", () => undefined); // it has ended, and says why itself
  let newest: Buffer | undefined;
  const eyes = await page.context().newCDPSession(page);
  eyes.on("Page.screencastFrame", ({ data, sessionId }) => {
    newest = Buffer.from(data, "base64");
    void eyes.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await eyes.send("Page.startScreencast", { format: "jpeg", quality: 70 });
  const clock = setInterval(() => newest && encoder.stdin.write(newest), 1000 / perSecond);
  return async () => {
    clearInterval(clock);
    encoder.stdin.end();
    const [status] = await ended;
    if (status !== 0 && newest) throw new Error(`ffmpeg ended with ${status}, and ${to} is no film`);
  };
}

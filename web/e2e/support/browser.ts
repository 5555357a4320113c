import { type Browser, chromium } from "playwright-core";

const always = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
];

/** Debian's Chromium, headless. `camera` is a .y4m or .mjpeg that it plays as the camera, over and over. */
export function launch(camera?: string, ...flags: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...always, ...flags, ...(camera ? [`--use-file-for-fake-video-capture=${camera}`] : [])],
  });
}

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Size = keyof typeof sizes;
export const themes = ["light", "dark"] as const;

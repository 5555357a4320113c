import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

/** Whether everything runs: every test, and all themes in those that look at some by day. */
export const nightly = process.env.NIGHTLY === "1";

/** Debian's Chromium, as people have it. */
const whole = "/usr/bin/chromium";
/** The same engine without the browser around it: a page takes half the processor time. */
const shell = "/usr/lib/chromium/chromium-headless-shell";

/** What the tests run in: by day the shell where it is installed, by night the browser. */
export const executablePath = process.env.CHROMIUM ?? (!nightly && existsSync(shell) ? shell : whole);

export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--font-render-hinting=none", // letters as wide in the shell as in the browser
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
] as const;

/** The flag that has Chromium play a .y4m or .mjpeg file as its camera, over and over. */
export const filmed = (camera: string): string => `--use-file-for-fake-video-capture=${camera}`;

/** A browser of its own, for a suite that needs other flags than the worker's. */
export function launch(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}

/** The same for a suite that needs what the shell does not have. */
export function launchWhole(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? whole, args: [...flags, ...more] });
}

export const sizes = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Size = keyof typeof sizes;
export const themes = ["light", "dark"] as const;
/** The themes that a test looks at which shows many screens: by day the light one. */
export const seenThemes: readonly (typeof themes)[number][] = nightly ? themes : ["light"];
/** The widths that a test looks at which shows the console's pages on its way: by day a desktop's. */
export const seenSizes: readonly Size[] = nightly ? ["phone", "laptop", "desktop"] : ["desktop"];

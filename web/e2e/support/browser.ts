import { type Browser, chromium } from "@playwright/test";

/** Whether everything runs: every test, and all themes in those that look at some by day. */
export const nightly = process.env.NIGHTLY === "1";

/** Debian's Chromium. */
export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
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

export const sizes = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
} as const;
export type Size = keyof typeof sizes;
export const themes = ["light", "dark"] as const;
/** The themes that a test looks at which shows many screens: by day the light one. */
export const seenThemes: readonly (typeof themes)[number][] = nightly ? themes : ["light"];

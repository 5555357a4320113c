import { join } from "node:path";
import { defineConfig, type ReporterDescription } from "@playwright/test";
import { executablePath, flags, nightly } from "./e2e/support/browser.ts";
import { results } from "./e2e/support/fixtures.ts";

const json: ReporterDescription[] = process.env.E2E_JSON ? [["json", { outputFile: process.env.E2E_JSON }]] : [];

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  outputDir: join(results, "playwright"),
  globalSetup: "./e2e/support/prepare.ts",
  timeout: 240_000,
  expect: { timeout: 10_000 },
  // What is measured for the docs has the machine to itself.
  workers: Number(process.env.E2E_WORKERS ?? (process.env.UPDATE_DOCS ? 1 : 2)),
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 1, // a camera on a busy machine can be late; the tally names what needed it
  // By day each journey once; what is tagged @nightly runs with NIGHTLY=1.
  ...(nightly ? {} : { grepInvert: /@nightly/ }),
  reporter: [["list"], ...json, ["./e2e/support/tally.ts"]],
  use: {
    launchOptions: { executablePath, args: [...flags] },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    screenshot: { mode: "only-on-failure", fullPage: true },
  },
});

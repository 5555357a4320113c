import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.{ts,tsx}", "src/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          testTimeout: 30_000,
          setupFiles: ["test/setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          environment: "node",
          testTimeout: 240_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          maxConcurrency: 3,
          retry: 1, // a camera on a busy machine can be late; the tally names what needed it
        },
      },
    ],
    reporters: ["default", "./e2e/support/tally.ts"],
  },
});

import type { KnipConfig } from "knip";

/** What a style sheet takes in, written as imports: sheets and the packages behind url() count as used. */
const css = (sheet: string): string =>
  [...sheet.matchAll(/(?:@import |url\()"((?:\.\.?\/|@)[^"]+)"/g)].map(([, path]) => `import "${path}";`).join("\n");

// vite.config.ts, vitest.config.ts and the scripts of package.json need no mention: knip reads them itself.
const config: KnipConfig = {
  entry: [
    "src/{applicant,console}/main.tsx", // the pages name them in HTML
    "scripts/*.mjs",
    "sdk/src/{index.ts,react.tsx}", // what an integrator imports
    "sdk/example/*",
  ],
  project: ["**/*.{ts,tsx,js,mjs,css}"],
  compilers: { css },
  ignoreBinaries: ["ffmpeg", "go"], // the browser tests make their films and fixtures with them
  ignoreDependencies: ["axe-core"], // its script is read as a file, to be run in the page
  ignoreUnresolved: ["/bonafide/index.js"], // sdk/example/server.mjs serves it to the page
  treatConfigHintsAsErrors: true,
};

export default config;

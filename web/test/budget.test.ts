import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { languages } from "../src/i18n/languages.ts";

// What the applicant's phone loads before the first screen: the script and style that the page names, and what these
// import at once. ARCHITECTURE: at most 100 kB gzipped.
const page = "dist/applicant/index.html";
const languageFiles = () =>
  readdirSync("dist/assets/applicant")
    .filter((name) => /^[a-z]{2}-[\w-]+\.js$/.test(name))
    .map((name) => `dist/assets/applicant/${name}`);
const packed = (path: string) => gzipSync(readFileSync(path)).length;

describe.skipIf(!existsSync(page))("the applicant's first screen (needs the built app: npm run build)", () => {
  const html = existsSync(page) ? readFileSync(page, "utf8") : "";
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/applicant\/[^"]+\.(?:js|css))"/g)].map(
    (match) => `dist/${match[1]}`,
  );

  it("weighs at most 100 kB of script, style and one language, gzipped", () => {
    expect(named.length).toBeGreaterThanOrEqual(2);
    const imported = named
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) =>
        [...readFileSync(path, "utf8").matchAll(/^import[^;]*?from"\.\/([^"]+)"/gm)].map(
          (match) => `dist/assets/applicant/${match[1]}`,
        ),
      );
    const spoken = languageFiles().filter((path) => ![...named, ...imported].includes(path));
    expect(spoken.length).toBe(Object.keys(languages).length - 1); // English is there from the start
    const heaviest = Math.max(...spoken.map(packed));
    const bytes = [...new Set([...named, ...imported])].reduce((sum, path) => sum + packed(path), heaviest);
    expect(bytes).toBeLessThanOrEqual(100_000);
  });

  it("has no inline script or style, so that the content policy needs no exception", () => {
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=/);
  });

  it("holds nothing of the console", () => {
    for (const path of named.filter((name) => name.endsWith(".js")))
      expect(readFileSync(path, "utf8")).not.toMatch(/mantine|tanstack/i);
  });
});

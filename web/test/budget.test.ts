// @vitest-environment node
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { built, bundle, heaviest, keepReport, limits, sum } from "./bundle.ts";

// What a phone loads, as the build left it. ARCHITECTURE: at most 100 kB of script and style before the first screen.
describe.skipIf(!built)("the applicant's pages (needs the built app: npm run build)", () => {
  const page = built ? readFileSync("dist/applicant/index.html", "utf8") : "";

  it("weigh no more than their limits: the first screen with one language, the camera, the SDK", () => {
    const of = bundle();
    expect(of.first.length).toBeGreaterThanOrEqual(2);
    for (const { language, files } of of.spoken) expect([language, files.length > 0]).toEqual([language, true]); // none is there from the start
    for (const part of ["worker", "face-net"])
      expect([part, of.camera.some(({ name }) => name.startsWith(part))]).toEqual([part, true]);
    keepReport(of);
    const weights = { first: sum(of.first) + heaviest(of), camera: sum(of.camera), sdk: sum(of.sdk) };
    console.log("gzipped bytes:", JSON.stringify(weights));
    expect(weights.first).toBeLessThanOrEqual(limits.first);
    expect(weights.camera).toBeLessThanOrEqual(limits.camera);
    expect(weights.sdk).toBeLessThanOrEqual(limits.sdk);
  });

  it("name every script and style of the first screen in the build's manifest", () => {
    const named = [...page.matchAll(/(?:src|href)="\/assets\/applicant\/([^"]+\.(?:js|css))"/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThanOrEqual(2);
    const listed = bundle().first.map(({ name }) => name);
    for (const name of named) expect(listed).toContain(name);
  });

  it("have no inline script or style, so that the content policy needs no exception", () => {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=/);
  });

  it("hold nothing of the console", () => {
    for (const { name } of bundle().first.filter((file) => file.name.endsWith(".js")))
      expect(readFileSync(`dist/assets/applicant/${name}`, "utf8")).not.toMatch(/mantine|tanstack/i);
  });
});

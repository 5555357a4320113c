import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "./fixtures.ts";

/** One session whose camera showed something, and what came of it. */
export type Attempt = { what: string; outcome: string; reasons: string[] };

/** The page of the docs, written where the run was asked for it (UPDATE_DOCS) and came through all of them. */
export function keepTable(table: Attempt[], all: number): void {
  for (const { what, outcome, reasons } of table) console.log(`${what}: ${outcome} ${reasons.join(", ")}`);
  if (!process.env.UPDATE_DOCS || table.length < all) return;
  const rows = table.map(({ what, outcome, reasons }) => `| ${what} | ${outcome} | ${reasons.sort().join(", ")} |`);
  writeFileSync(
    join(repoRoot, "docs", "reference", "attacks-before-the-camera.md"),
    `# Attacks shown to the camera, and their outcome

<!-- Made by \`make e2e\`. -->

Each line is one session in Chromium against the real server: the film that its camera plays was made when the challenge was known, as nobody else could. The films are *synthetic*.
Attacks that are posted by a script are in [attacks](attacks.md). "Asked again" says no more than that the movements were missed; reasons are those of the report, for the reviewer.

| what the camera saw | outcome | reasons kept for the reviewer |
|---|---|---|
${rows.join("\n")}
`,
  );
}

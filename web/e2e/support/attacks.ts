import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nightly } from "./browser.ts";
import { replaceFile, repoRoot, results } from "./fixtures.ts";

/** One session whose camera showed something, and what came of it. */
export type Attempt = { what: string; outcome: string; reasons: string[] };

/** What the camera shows in the lines of the table, in their order. */
const lines = [
  "the right person, who follows it",
  "a still photo",
  "a photo that is moved as the prompts say",
  "the right person on video, doing another challenge",
  "the right person at rest, and another who moves",
  "the right person first, then another",
] as const;
export type Line = (typeof lines)[number];

/** What came of each in this run: emptied before the first test. */
export const attempts = join(results, "attempts");
const kept = (what: Line) => join(attempts, `${what.replaceAll(/\W+/g, "-")}.json`);

/** Keeps what came of one, for the table: a test that is tried again is in another process. */
export function keepAttempt(attempt: Attempt & { what: Line }): void {
  console.log(`${attempt.what}: ${attempt.outcome} ${attempt.reasons.join(", ")}`);
  replaceFile(kept(attempt.what), JSON.stringify(attempt));
}

/** The page of the docs, written where the run was asked for it (UPDATE_DOCS) and went through all of them. */
export function keepTable(): void {
  if (!process.env.UPDATE_DOCS || !nightly || !lines.every((what) => existsSync(kept(what)))) return;
  const table: Attempt[] = lines.map((what) => JSON.parse(readFileSync(kept(what), "utf8")));
  const rows = table.map(({ what, outcome, reasons }) => `| ${what} | ${outcome} | ${reasons.sort().join(", ")} |`);
  writeFileSync(
    join(repoRoot, "docs", "reference", "attacks-before-the-camera.md"),
    `# Attacks shown to the camera, and their outcome

<!-- Made by \`make e2e\`. -->

Each line is one session in Chromium against the real server: the film that its camera plays was made when the challenge was known, as nobody else could. The films are *synthetic*.
Attacks that are posted by a script are in [attacks](attacks.md). "Asked again" says no more than that the movements were missed; reasons are those of the report, for the reviewer. What applicant and reviewer see at the end of six such sessions is in \`docs/attacks-seen.webp\`.

| what the camera saw | outcome | reasons kept for the reviewer |
|---|---|---|
${rows.join("\n")}
`,
  );
}

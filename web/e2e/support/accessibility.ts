import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { nightly, type Size, sizes, themes } from "./browser.ts";
import { replaceFile, repoRoot, results } from "./fixtures.ts";

type Theme = (typeof themes)[number];
/** How many violations axe found on one screen, by size and theme. */
export type Checked = Partial<Record<`${Size} ${Theme}`, number>>;

/** One file for each screen: several workers keep what they found beside each other. */
const folder = join(results, "axe");
const kept = (screen: string) => join(folder, `${screen}.json`);
const found = (screen: string): Checked =>
  existsSync(kept(screen)) ? JSON.parse(readFileSync(kept(screen), "utf8")) : {};
const views = Object.keys(sizes).flatMap((size) =>
  size === "phone" || size === "desktop" ? themes.map((theme) => `${size} ${theme}` as const) : [],
);

/** Keeps what axe found on one screen, laid over what it found there in earlier runs: the suite may be run in slices. */
export function keepFound(screen: string, now: Checked): void {
  replaceFile(kept(screen), JSON.stringify({ ...found(screen), ...now }));
}

/** Writes the page of the docs where the run was asked for it (UPDATE_DOCS) and every screen was looked at. `groups` names them. */
export function writePage(groups: Readonly<Record<string, readonly string[]>>): void {
  if (!process.env.UPDATE_DOCS || !nightly) return;
  const all = Object.fromEntries(Object.values(groups).flatMap((names) => names.map((name) => [name, found(name)])));
  if (!Object.values(all).every((one) => views.every((view) => one[view] !== undefined))) return;
  writeFileSync(join(repoRoot, "docs", "reference", "accessibility.md"), page(groups, all));
}

function page(groups: Readonly<Record<string, readonly string[]>>, found: Readonly<Record<string, Checked>>): string {
  const version: unknown = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve("axe-core/package.json"), "utf8"),
  ).version;
  const screens = Object.values(groups).flat();
  const counts = screens.flatMap((name) => views.map((view) => found[name]?.[view]));
  const looked = counts.filter((count) => count !== undefined);
  const total = looked.reduce((sum, count) => sum + count, 0);
  const row = (name: string) =>
    `| ${name} | ${views.map((view) => found[name]?.[view] ?? "not looked at").join(" | ")} |`;
  const table = (names: readonly string[]) =>
    `| screen and state | ${views.join(" | ")} |\n|---|${views.map(() => "--:|").join("")}\n${names.map(row).join("\n")}`;
  return `# What axe finds

<!-- Made by \`make e2e\` (web/e2e/screens.e2e.ts). -->

Each screen in each state, in Chromium, as axe-core ${version} sees it: its rules for WCAG 2.2 A and AA and its best practices, at ${Object.entries(
    sizes,
  )
    .map(([name, { width, height }]) => `${width} × ${height} (${name})`)
    .join(" and ")}. A second theme
changes nothing but colours, so in the dark theme only its rules for contrast run. The run fails where one is broken. Nobody with a screen reader has tried them: axe sees about half of what people stumble over.

**${screens.length} screens, ${looked.length} of ${counts.length} views looked at, ${total} violations.**

${Object.entries(groups)
  .map(([group, names]) => `## ${group}\n${table(names)}`)
  .join("\n\n")}
`;
}

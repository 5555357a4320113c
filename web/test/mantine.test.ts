// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = "dist/assets/console";
const built = (() => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
})();
const textOf = (ending: string) =>
  built.filter((name) => name.endsWith(ending)).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

it.skipIf(built.length === 0)("every Mantine component in the console has its styles (needs the built app)", () => {
  const all = classesIn(readFileSync("node_modules/@mantine/core/styles.css", "utf8"));
  const styled = classesIn(textOf(".css").join("\n"));
  const used = [...classesIn(textOf(".js").join("\n"))].filter((name) => all.has(name));
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((name) => !styled.has(name))).toEqual([]);
});

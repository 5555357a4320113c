// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("schema.d.ts"))
  .map((path) => ({ path, text: readFileSync(join("src", path), "utf8") }));

const withoutStrings = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");

describe("the house rules", () => {
  it("no cast but `as const`", () => {
    const casts = sources.flatMap(({ path, text }) =>
      withoutStrings(text)
        .split("\n")
        .filter(
          (line) =>
            /\bas\s+(?!const\b)[A-Z{[(a-z]/.test(line) && !/^\s*(import|export)\b|^\s*[\w*]+ as \w+,?$/.test(line),
        )
        .filter((line) => !/>[^<{]*\bas\b[^<{]*</.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(casts).toEqual([]);
  });

  it("files stay within 450 lines", () => {
    const generated = new Set(["src/api/schema.d.ts"]);
    const long = ["src", "test", "e2e", "sdk", "applicant", "console", "scripts", "."]
      .flatMap((folder) =>
        readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((path) => join(folder, path)),
      )
      .filter((path) => /\.(tsx?|m?js|css|html)$/.test(path) && !path.startsWith("sdk/dist") && !generated.has(path))
      .filter((path) => readFileSync(path, "utf8").trimEnd().split("\n").length > 450);
    expect(long).toEqual([]);
  });

  it("modules do not import each other in a circle", () => {
    const known = new Set(sources.map(({ path }) => path));
    const imports = new Map(
      sources.map(({ path, text }) => [
        path,
        [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)]
          .map(([, to]) => join(path, "..", to ?? ""))
          .filter((to) => known.has(to)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]) => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
      if (done.has(path) || way.includes(path)) return;
      for (const to of imports.get(path) ?? []) visit(to, [...way, path]);
      done.add(path);
    };
    for (const path of known) visit(path, []);
    expect(circles).toEqual([]);
  });

  it("screens hold no sentence of their own: words come from i18n", () => {
    const spoken = sources
      .filter(({ path }) => path.endsWith(".tsx"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g)].map((match) => `${path}: ${match[1]}`),
      );
    expect(spoken).toEqual([]);
  });

  it("every class that a component names stands in its stylesheet", () => {
    const missing = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^import (\w+) from "(\..*\.module\.css)";$/gm)].flatMap(([, name, sheet]) => {
        const rules = readFileSync(join("src", path, "..", sheet ?? ""), "utf8");
        const used = new Set([...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map((match) => match[1]));
        return [...used]
          .filter((one) => !new RegExp(`\\.${one}\\b`).test(rules))
          .map((one) => `${path}: ${name}.${one}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it("no test before the browser waits for a time: it waits for a state", () => {
    const waits = readdirSync("e2e", { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) =>
        [...readFileSync(join("e2e", path), "utf8").matchAll(/waitForTimeout/g)].map(
          ({ 0: found }) => `${path}: ${found}`,
        ),
      );
    expect(waits).toEqual([]);
  });
});

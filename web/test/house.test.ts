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

  it("files stay within 400 lines", () => {
    expect(
      sources
        .filter(({ path, text }) => !path.startsWith("i18n/") && text.split("\n").length > 400)
        .map(({ path }) => path),
    ).toEqual([]);
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
});

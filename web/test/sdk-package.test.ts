// @vitest-environment node
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "bonafide-sdk-"));
afterAll(() => rmSync(folder, { recursive: true }));
const npm = (...args: string[]) =>
  execFileSync("npm", [...args, "--loglevel=error", "--offline", "--no-audit", "--no-fund"], { encoding: "utf8" });

describe.skipIf(!existsSync("sdk/dist/index.js"))("the package (npm run sdk)", () => {
  it("can be imported where npm installed what npm packed", () => {
    npm("pack", "./sdk", "--pack-destination", folder);
    const [packed = ""] = readdirSync(folder);
    writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
    npm("install", join(folder, packed), "--prefix", folder, "--omit=peer");
    const print = `console.log(Object.keys(await import("@bonafide/web")).sort().join())`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", print], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(said.trim()).toBe("embed,popup,redirect");
  });

  it("has no file that index.js needs beside it", () => {
    const print = `console.log(Object.keys(await import(process.argv[1])).length)`;
    const alone = mkdtempSync(join(folder, "alone-"));
    execFileSync("cp", ["sdk/dist/index.js", join(alone, "index.mjs")]);
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", print, join(alone, "index.mjs")], {
      encoding: "utf8",
    });
    expect(said.trim()).toBe("3");
  });
});

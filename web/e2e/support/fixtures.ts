import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const webRoot = new URL("../..", import.meta.url).pathname;
export const repoRoot = new URL("../../..", import.meta.url).pathname;
/** Everything that a test run leaves behind. Git ignores it. */
export const results = join(webRoot, "test-results");

export type DocumentKind = "passport" | "id_card" | "visa" | "driving_licence";

/**
 * A specimen of Utopia and a selfie of its holder, as the repository's generator makes them: the same for the same
 * seed on every machine. Further flags go to the generator.
 */
export function specimen(
  kind: DocumentKind,
  seed: number,
  ...flags: string[]
): { front: string; back: string; selfie: string } {
  const dir = join(results, "fixtures", [kind, seed, ...flags].join("_").replaceAll(/[^\w]+/g, "-"));
  const at = (side: string) => join(dir, `${kind}-${String(seed).padStart(6, "0")}-${side}.jpg`);
  if (!existsSync(at("front")) || !existsSync(at("selfie"))) {
    mkdirSync(dir, { recursive: true });
    execFileSync(
      "go",
      ["run", "./cmd/fixtures", "-out", dir, "-n", "1", "-seed", String(seed), "-kind", kind, "-selfie", ...flags],
      {
        cwd: repoRoot,
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  }
  return { front: at("front"), back: at("back"), selfie: at("selfie") };
}

/** A file that Chromium plays as its camera. It is opened anew with each use, so the scene can be changed between two. */
export function fakeCamera(name: string): { path: string; show: (picture: string) => void } {
  mkdirSync(join(results, "camera"), { recursive: true });
  const path = join(results, "camera", `${name}.mjpeg`);
  return {
    path,
    show(picture) {
      const frame = readFileSync(picture);
      writeFileSync(path, Buffer.concat([frame, frame, frame]));
    },
  };
}

export function keepCopy(from: string, to: string): void {
  copyFileSync(from, to);
}

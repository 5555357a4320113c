import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFilm } from "./film.ts";

export const webRoot = new URL("../..", import.meta.url).pathname;
export const repoRoot = new URL("../../..", import.meta.url).pathname;
/** Everything that a test run leaves behind. Git ignores it. Two runs at once need a folder each: E2E_RESULTS. */
export const results = process.env.E2E_RESULTS ?? join(webRoot, "test-results");

export type DocumentKind = "passport" | "id_card" | "visa" | "driving_licence";

/** Builds a program of the repository, which takes a second where it is current, and says where it is. */
export function built(name: string, of: string): string {
  const path = join(repoRoot, "build", "bin", name);
  execFileSync("go", ["build", "-o", path, of], { cwd: repoRoot, stdio: ["ignore", "ignore", "inherit"] });
  return path;
}

/** Runs the repository's generator of specimens: the one of BONAFIDE_FIXTURES, which is built before the first test where none is named. */
export function generate(...flags: string[]): void {
  const generator = process.env.BONAFIDE_FIXTURES;
  if (!generator) throw new Error("BONAFIDE_FIXTURES names no generator");
  execFileSync(generator, flags, { cwd: repoRoot, stdio: ["ignore", "ignore", "inherit"] });
}

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
    const making = `${dir}.${process.pid}`;
    mkdirSync(making, { recursive: true });
    generate("-out", making, "-n", "1", "-seed", String(seed), "-kind", kind, "-selfie", ...flags);
    moveIn(making, dir);
  }
  return { front: at("front"), back: at("back"), selfie: at("selfie") };
}

/** A face as a phone held upright at arm's length sees it: in the oval, so that "I am ready" starts the challenge at once. */
export function framedFace(): string {
  const dir = join(results, "fixtures", "framed-face");
  const picture = join(dir, "000.jpg");
  if (!existsSync(picture)) {
    const making = `${dir}.${process.pid}`;
    mkdirSync(making, { recursive: true });
    const challenge = join(making, "challenge.json");
    writeFileSync(
      challenge,
      JSON.stringify({ prompts: [{ move: "left", at_ms: 1000, for_ms: 1000 }], duration_ms: 4000 }),
    );
    generate("-answer", challenge, "-face", "alder", "-seed", "1", "-frames", "4", "-out", making);
    moveIn(making, dir);
  }
  return picture;
}

/** Moves what was made to its place at once. Another worker may have made the same meanwhile: then that stays. */
function moveIn(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

/** Writes a file that others may read meanwhile: they see the old one or the new one, whole. */
export function replaceFile(path: string, content: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true });
  const making = `${path}.${process.pid}`;
  writeFileSync(making, content);
  renameSync(making, path);
}

export type Camera = { path: string; show: (picture: string) => void };

/** A file that Chromium plays as its camera. It is opened anew with each use, so the scene can be changed between two. */
export function fakeCamera(name: string): Camera {
  const path = join(results, "camera", `${name}.y4m`);
  let shown = "";
  return {
    path,
    show(picture) {
      if (picture !== shown) writeFilm(path, [{ at: 0, picture }], { seconds: 0.3, rate: 10 });
      shown = picture;
    },
  };
}

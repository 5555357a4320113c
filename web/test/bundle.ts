import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { languages } from "../src/i18n/languages.ts";

/** What the build left, as its own manifest names it. */
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; assets?: string[] };
type Manifest = Readonly<Record<string, Chunk>>;

export type File = { name: string; bytes: number };
export type Bundle = {
  /** Script and style that the first page names, or that these import at once; then each language with what only it needs. */
  first: File[];
  spoken: { language: string; files: File[] }[];
  /** The flow, the camera and its guidance: loaded after the start screen, the guidance when the camera opens. */
  camera: File[];
  /** Screens that most people never see. */
  seldom: File[];
  sdk: File[];
};

const folder = "dist/assets/applicant";
const manifestFile = `${folder}/manifest.json`;
export const built = existsSync(manifestFile) && existsSync("sdk/dist/index.js");

const packed = (path: string): number => gzipSync(readFileSync(path)).length;
const weighed = (file: string): File => ({ name: file.replace(/^.*\//, ""), bytes: packed(`dist/${file}`) });
const weighs = (file: string) => /\.(js|css)$/.test(file);

/** A chunk, what it imports at once, and the style and the workers of these. */
function closure(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) if (weighs(file)) seen.add(file);
  for (const one of chunk.imports ?? []) closure(manifest, one, seen);
  return seen;
}

export function bundle(): Bundle {
  const manifest: Manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  const first = closure(manifest, "applicant/index.html");
  const beyond = (keys: string[], than: Set<string>) =>
    [...new Set(keys.flatMap((key) => [...closure(manifest, key)]))].filter((file) => !than.has(file));
  // What the worker loads is not in the manifest.
  const weights = readdirSync(folder).filter((name) => name.endsWith(".bin"));
  const camera = [
    ...beyond(["src/applicant/flow/Flow.tsx"], first),
    ...weights.map((name) => `${folder.slice(5)}/${name}`),
  ];
  const there = new Set([...first, ...camera]);
  const words = (language: string) => `src/i18n/applicant/${language}.json`;
  const later = Object.keys(manifest).filter((key) => /^src\/(?!i18n\/).*\.tsx?$/.test(key));
  return {
    first: [...first].map(weighed),
    spoken: Object.keys(languages).map((language) => ({
      language,
      files: beyond([words(language)], first).map(weighed),
    })),
    camera: camera.map(weighed),
    seldom: beyond(later, there).map(weighed),
    sdk: ["index.js", "react.js"].map((name) => ({ name, bytes: packed(`sdk/dist/${name}`) })),
  };
}

export const sum = (files: readonly File[]): number => files.reduce((total, { bytes }) => total + bytes, 0);
export const heaviest = ({ spoken }: Bundle): number => Math.max(...spoken.map(({ files }) => sum(files)));

/** Limits, in bytes after gzip: of the first screen with the heaviest language, of all that the camera needs more, of the SDK. */
export const limits = { first: 100_000, camera: 800_000, sdk: 5_000 } as const;

const size = (bytes: number) => bytes.toLocaleString("en").replaceAll(",", " ");
const rows = (files: readonly File[]) =>
  [...files]
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes }) => `| \`${name.replace(/-[\w-]{8}(?=\.\w+$)/, "")}\` | ${size(bytes)} |`)
    .join("\n");
const table = (what: string, files: readonly File[]) => `| ${what} | bytes, gzipped |\n|---|---:|\n${rows(files)}`;

/** The report as a page of the docs, written where the run was asked for it (UPDATE_DOCS). */
export function keepReport(of: Bundle): void {
  if (!process.env.UPDATE_DOCS) return;
  const first = sum(of.first) + heaviest(of);
  const page = `# What the pages weigh

<!-- Made by \`make bundle\`, from the files that the build leaves. -->

Script, style and weights as they are sent, gzipped. A test fails where a limit is passed. Fonts are not counted: the page is shown without waiting for them.

| what | when it loads | bytes, gzipped | limit |
|---|---|---:|---:|
| the first screen, with the heaviest language | at once | ${size(first)} | ${size(limits.first)} |
| the first screen in English | at once | ${size(sum(of.first) + sum(of.spoken.find(({ language }) => language === "en")?.files ?? []))} | |
| the flow, the camera and its guidance | after the start screen; guidance when the camera opens | ${size(sum(of.camera))} | ${size(limits.camera)} |
| screens that most people never see | when they are needed | ${size(sum(of.seldom))} | |
| \`@bonafide/web\`, with the component for React | on the integrator's page | ${size(sum(of.sdk))} | ${size(limits.sdk)} |

## The first screen
${table("file", of.first)}

One language is loaded with it:

${table(
  "language",
  of.spoken.map(({ language, files }) => ({ name: language, bytes: sum(files) })),
)}

## The flow, the camera and its guidance
${table("file", of.camera)}

## Screens that most people never see
${table("file", of.seldom)}

## @bonafide/web
${table("file", of.sdk)}
`;
  writeFileSync("../docs/reference/bundle.md", page);
}

import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** What a camera shows from a moment on, in milliseconds since the film began. */
export type Shown = { at: number; picture: string };

const decoded = ["-f", "image2pipe", "-c:v", "mjpeg", "-i", "-", "-fps_mode", "passthrough"];
const i420 = ["-vf", "scale=out_range=tv:out_color_matrix=bt601", "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"];
const begins = Buffer.from("FRAME\n");

/** JPEG files of one size as I420 (BT.601, video range), and that size. */
function framesOf(pictures: readonly string[]): { width: number; height: number; frames: Buffer[] } {
  const film = execFileSync("ffmpeg", ["-loglevel", "error", ...decoded, ...i420], {
    input: Buffer.concat(pictures.map((picture) => readFileSync(picture))),
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const head = film.indexOf("\n") + 1;
  const [, w, h] = /^YUV4MPEG2 W(\d+) H(\d+) /.exec(film.subarray(0, head).toString()) ?? [];
  const [width, height] = [Number(w), Number(h)];
  const size = width * height + 2 * ((width + 1) >> 1) * ((height + 1) >> 1);
  const frames = pictures.map((_, i) => {
    const at = head + i * (begins.length + size) + begins.length;
    return film.subarray(at, at + size);
  });
  if (film.length !== head + pictures.length * (begins.length + size))
    throw new Error("the pictures of a film are not of one size");
  return { width, height, frames };
}

/**
 * Writes a film (.y4m) that Chromium plays as its camera, at a rate that a busy machine keeps up with (its other form, Motion
 * JPEG, is always 30 a second). Whoever reads the file meanwhile has the old one.
 */
export function writeFilm(to: string, shown: Shown[], { seconds, rate }: { seconds: number; rate: number }): void {
  const pictures = [...new Set(shown.map(({ picture }) => picture))];
  const { width, height, frames } = framesOf(pictures);
  mkdirSync(dirname(to), { recursive: true });
  const making = `${to}.${process.pid}`;
  const file = openSync(making, "w");
  writeSync(file, `YUV4MPEG2 W${width} H${height} F${rate}:1 Ip A1:1 C420jpeg\n`);
  for (let at = 0; at < seconds * 1000; at += 1000 / rate) {
    const now = shown.findLast((one) => one.at <= at) ?? shown[0];
    const frame = now && frames[pictures.indexOf(now.picture)];
    if (!frame) throw new Error("an empty film");
    writeSync(file, begins);
    writeSync(file, frame);
  }
  closeSync(file);
  renameSync(making, to);
}

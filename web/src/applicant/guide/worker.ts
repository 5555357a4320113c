import { faceQuad, judgeFace } from "./face.ts";
import { type Face, FaceNet, faceSearched } from "./face-net.ts";
import { fromPixels, type Grey } from "./grey.ts";
import { judgePage, type Scene, type Sight } from "./judge.ts";
import { blurOf } from "./measures.ts";
import { type Quad, searched, sizeOf } from "./page.ts";
import { follow, type Streak } from "./streak.ts";
import type { Broken, Look, Seen, Shot, Weights } from "./talk.ts";

// Judges camera frames beside the page, so that nothing on it stutters. Nothing leaves this worker but what it says to
// the page: what is seen, and the best frame of a run as a picture.

const detailWidth = 1000; // the page's width in the copy in which sharpness is measured
const detailPart = 0.7; // of the page that is measured, about its middle
const longest = 4096;

let before: Sight | null = null;
let streak: Streak | null = null;
let best: ImageBitmap | null = null;

const canvases = {
  search: new OffscreenCanvas(1, 1),
  face: new OffscreenCanvas(1, 1),
  detail: new OffscreenCanvas(1, 1),
};
type Canvas = keyof typeof canvases;

let finder: FaceNet | null = null;

/** Until the weights are there, and where they cannot be had, only light is judged. */
function findFaces(frame: ImageBitmap): Face[] | null {
  if (!finder) return null;
  const shrink = faceSearched / Math.max(frame.width, frame.height);
  const [width, height] = [Math.round(frame.width * shrink), Math.round(frame.height * shrink)];
  return finder.find(pixelsOf("face", frame, [0, 0, frame.width, frame.height], width, height), width, height);
}

const drawn = (
  name: Canvas,
  frame: ImageBitmap,
  box: readonly [number, number, number, number],
  width: number,
  height: number,
): Grey => fromPixels(pixelsOf(name, frame, box, width, height), width, height);

function pixelsOf(
  name: Canvas,
  frame: ImageBitmap,
  [x, y, w, h]: readonly [number, number, number, number],
  width: number,
  height: number,
): Uint8ClampedArray {
  const canvas = canvases[name];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false });
  if (!context) throw new Error("no canvas");
  context.imageSmoothingQuality = "medium";
  context.drawImage(frame, x, y, w, h, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

/** The spread of the edges about the page's middle, in widths of the page. */
function blurAt(frame: ImageBitmap, quad: Quad, scale: number): number | null {
  const page = sizeOf(quad).width * scale;
  const xs = quad.map(({ x }) => x * scale);
  const ys = quad.map(({ y }) => y * scale);
  const width = (Math.max(...xs) - Math.min(...xs)) * detailPart;
  const height = (Math.max(...ys) - Math.min(...ys)) * detailPart;
  const x = (Math.max(...xs) + Math.min(...xs) - width) / 2;
  const y = (Math.max(...ys) + Math.min(...ys) - height) / 2;
  const shrink = Math.min(1, detailWidth / page);
  const box = [x, y, width, height] as const;
  const detail = drawn("detail", frame, box, Math.round(width * shrink), Math.round(height * shrink));
  const blur = blurOf(detail);
  return blur === null ? null : blur / (page * shrink);
}

function look({ frame, what, oval, visible, at, shoots }: Look): Seen {
  const scale = Math.max(frame.width, frame.height) / searched;
  const width = Math.round(frame.width / scale);
  const height = Math.round(frame.height / scale);
  const small = drawn("search", frame, [0, 0, frame.width, frame.height], width, height);
  let blur: number | null = null;
  const measure = (quad: Quad) => {
    blur = blurAt(frame, quad, scale);
    return blur;
  };
  const scene = { small, scale, visible, before, blur: measure };
  const sight = what === "face" ? faced(scene, frame, oval) : judgePage(scene, what);
  before = sight;
  const step = follow(streak, { advice: shoots ? sight.advice : "search", blur, at });
  streak = step.streak;
  keep(frame, step.best, streak !== null);
  const part = ({ x, y }: { x: number; y: number }) => ({ x: x / width, y: y / height });
  const [a, b, c, d] = sight.quad ?? [];
  const quad: Quad | null = a && b && c && d ? [part(a), part(b), part(c), part(d)] : null;
  return { type: "seen", advice: sight.advice, quad, held: step.held, ...(sight.pose ? { pose: sight.pose } : {}) };
}

/** A face, and when all is well with it, how sharp it is: of several frames the sharpest is taken. */
function faced(scene: Scene, frame: ImageBitmap, oval: Look["oval"]): Sight {
  const faces = findFaces(frame);
  const sight = judgeFace(scene, faces, oval);
  if (sight.advice === "hold" && faces?.[0]) scene.blur(faceQuad(faces[0], scene.small));
  return sight;
}

/** Keeps a frame while it is the best of its run, and lets go of all others. */
function keep(frame: ImageBitmap, isBest: boolean, running: boolean): void {
  if (isBest) {
    best?.close();
    best = frame;
    return;
  }
  frame.close();
  if (!running) {
    best?.close();
    best = null;
  }
}

async function shoot(frame: ImageBitmap): Promise<Shot> {
  const shrink = Math.min(1, longest / Math.max(frame.width, frame.height));
  const canvas = new OffscreenCanvas(Math.round(frame.width * shrink), Math.round(frame.height * shrink));
  canvas.getContext("2d", { alpha: false })?.drawImage(frame, 0, 0, canvas.width, canvas.height);
  frame.close();
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  return { type: "shot", blob, width: canvas.width, height: canvas.height };
}

addEventListener("message", ({ data }: MessageEvent<Look | Weights>) => {
  if ("weights" in data) {
    finder = new FaceNet(data.weights);
    return;
  }
  const seen = look(data);
  postMessage(seen);
  if (seen.held < 1 || !best) return;
  const frame = best;
  best = null;
  streak = null;
  shoot(frame).then(postMessage, () => postMessage({ type: "broken" } satisfies Broken));
});

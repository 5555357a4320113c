import type { Pose } from "./face-net.ts";
import type { Grey } from "./grey.ts";
import { changeOf, gridOf, lightOf, printOf, wholeOf } from "./measures.ts";
import { distance, findPage, type Quad, type Shape, sizeOf } from "./page.ts";
import { refined } from "./refine.ts";
import type { Advice, Part } from "./talk.ts";

// Floors a little above the server's, so that a picture that is taken automatically is not refused for its size or light.
const leastShort = 620; // pixels of the page's shorter side; the server asks for 600
const leastFill = 0.5; // part of what is seen that the page spans on its tighter side
const fullest = 0.93;
const margin = 0.008; // between a corner and the edge of what is seen
export const leastBright = 92;
const mostPaper = 0.4; // where it is burnt out as a whole and not by a reflection
const mostBurnt = 0.03;
const leastPrint = 0.1;
const mostMoved = 0.012; // of a corner between two frames, in widths of the page
const mostChange = 0.16;
/** Sigma of the edges in widths of the page: 1.8 pixels of a page 900 wide. */
const mostBlur = 0.002;

/** What one frame shows. Kept for the next one, to see whether anything moves. */
export type Sight = { quad: Quad | null; grid: Uint8Array; advice: Advice; pose?: Pose };

export type Scene = {
  /** The frame, `searched` pixels long. */
  small: Grey;
  /** Pixels of the frame itself for each of `small`. */
  scale: number;
  visible: Part;
  before: Sight | null;
  /** The spread of edges on the page in widths of the page; costly, so it is asked for last. */
  blur: (quad: Quad) => number | null;
};

/** Judges a frame that should show a document. */
export function judgePage(scene: Scene, shape: Shape): Sight {
  const { small } = scene;
  const found = findPage(small, shape);
  if (!found) return { quad: null, grid: gridOf(small, wholeOf(small)), advice: "search" };
  const quad = refined(small, found);
  const grid = gridOf(small, quad);
  const advice = adviceOn(scene, quad, grid);
  return { quad: advice === "search" ? null : quad, grid, advice };
}

function adviceOn(scene: Scene, quad: Quad, grid: Uint8Array): Advice {
  const light = lit(grid);
  // A window or a sheet: what has four edges and no print is no document, unless the light hides the print.
  if (printOf(grid) < leastPrint && light !== "dark" && light !== "bright") return "search";
  return placed(scene, quad) ?? light ?? steady(scene.before, quad, grid) ?? sharp(scene.blur(quad)) ?? "hold";
}

function placed({ small, scale, visible }: Scene, quad: Quad): Advice | null {
  const left = visible.x0 * small.width;
  const right = visible.x1 * small.width;
  const top = visible.y0 * small.height;
  const foot = visible.y1 * small.height;
  const gap = margin * Math.max(right - left, foot - top);
  const out = quad.some(({ x, y }) => x < left + gap || x > right - gap || y < top + gap || y > foot - gap);
  if (out) return "back";
  const xs = quad.map(({ x }) => x);
  const ys = quad.map(({ y }) => y);
  const fill = Math.max(
    (Math.max(...xs) - Math.min(...xs)) / (right - left),
    (Math.max(...ys) - Math.min(...ys)) / (foot - top),
  );
  const { width, height } = sizeOf(quad);
  if (fill < leastFill) return "closer";
  if (Math.min(width, height) * scale >= leastShort) return null;
  return fill > fullest ? "coarse" : "closer";
}

function lit(grid: Uint8Array): Advice | null {
  const { bright, burnt } = lightOf(grid);
  if (bright < leastBright) return "dark";
  if (burnt > mostPaper) return "bright";
  return burnt > mostBurnt ? "glare" : null;
}

function steady(before: Sight | null, quad: Quad, grid: Uint8Array): Advice | null {
  if (!before?.quad) return "still";
  const width = sizeOf(quad).width;
  const moved = quad.some((corner, i) => distance(corner, before.quad?.[i] ?? corner) > mostMoved * width);
  return moved || changeOf(before.grid, grid) > mostChange ? "still" : null;
}

const sharp = (blur: number | null): Advice | null => (blur !== null && blur > mostBlur ? "blurred" : null);

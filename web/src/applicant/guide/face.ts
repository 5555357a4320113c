import type { Face } from "./face-net.ts";
import { leastBright, type Scene, type Sight } from "./judge.ts";
import { changeOf, gridOf, lightOf, wholeOf } from "./measures.ts";
import type { Point, Quad } from "./page.ts";
import type { Advice, Look } from "./talk.ts";

// The ovals on the screen as Viewfinder.module.css draws them, by their shape there: how wide they are in what is seen, at
// most that part of its width, and at most that of its height. A face fills most of its oval. Sizes are roots of areas,
// because boxes of different faces have different shapes.
const ovals = { oval: { across: 0.75, down: 0.54 }, face: { across: 0.59, down: 0.41 } } as const;
const least = 0.42; // of the larger oval, whichever is drawn: about the server's floor on a camera of 480 × 640
const most = 1.15;
const aside = 0.25; // from the oval's middle, in its widths and heights
const other = 0.45; // of the largest face's width: from here on somebody else is in the picture, as the server counts
const mostChange = 0.3;

type Box = { cx: number; cy: number; width: number; height: number };

type Size = { width: number; height: number };

const ovalOf = ({ width, height }: Size, shape: keyof typeof ovals): Size => {
  const across = Math.min(ovals[shape].across * width, ovals[shape].down * height);
  return { width: across, height: across / 0.75 };
};

const quadOf = ({ cx, cy, width, height }: Box): Quad => {
  const corner = (x: number, y: number): Point => ({ x: cx + (x * width) / 2, y: cy + (y * height) / 2 });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};

/** A face's corners in pixels of the searched frame. */
export const faceQuad = ({ x0, y0, x1, y1 }: Face, { width, height }: { width: number; height: number }): Quad => [
  { x: x0 * width, y: y0 * height },
  { x: x1 * width, y: y0 * height },
  { x: x1 * width, y: y1 * height },
  { x: x0 * width, y: y1 * height },
];

/**
 * Judges a frame that should show a face in the oval. `faces` are those that were found, the surest first; null where they
 * cannot be looked for, and then only light is judged and nothing is ever well.
 */
export function judgeFace(scene: Omit<Scene, "blur">, faces: Face[] | null, shape: Look["oval"]): Sight {
  const { small, visible, before } = scene;
  const seen = { width: (visible.x1 - visible.x0) * small.width, height: (visible.y1 - visible.y0) * small.height };
  const cx = ((visible.x0 + visible.x1) / 2) * small.width;
  const cy = ((visible.y0 + visible.y1) / 2) * small.height;
  const oval = ovalOf(seen, shape);
  const floor = (least * ovalOf(seen, "oval").width) / oval.width;
  const grid = gridOf(small, quadOf({ cx, cy, width: 0.8 * oval.width, height: 0.8 * oval.height }));
  const [face] = faces ?? [];
  const light = () => lightOn(small, face ? gridOf(small, faceQuad(face, small)) : grid);
  const advice = (): Advice => {
    // In the dark no face is found: then the light is what is wrong.
    if (!faces || !face) return light() ?? "search";
    const place = placed(face, faces, { width: small.width, height: small.height, cx, cy, oval, floor });
    if (place) return place;
    return light() ?? (before && changeOf(before.grid, grid) > mostChange ? "still" : "hold");
  };
  return { quad: null, grid, advice: advice(), ...(face?.pose ? { pose: face.pose } : {}) };
}

type Place = Size & { cx: number; cy: number; oval: Size; floor: number };

function placed(face: Face, faces: Face[], { width, height, cx, cy, oval, floor }: Place): Advice | null {
  const wide = (one: Face) => one.x1 - one.x0;
  const largest = faces.reduce((one, next) => (wide(next) > wide(one) ? next : one), face);
  if (faces.filter((one) => wide(one) >= other * wide(largest)).length > 1) return "alone";
  const part = Math.sqrt((wide(face) * width * (face.y1 - face.y0) * height) / (oval.width * oval.height));
  if (part < floor) return "closer";
  if (part > most) return "back";
  const x = (((face.x0 + face.x1) / 2) * width - cx) / oval.width;
  const y = (((face.y0 + face.y1) / 2) * height - cy) / oval.height;
  return Math.abs(x) > aside || Math.abs(y) > aside ? "search" : null;
}

function lightOn(small: Scene["small"], grid: Uint8Array): Advice | null {
  const face = lightOf(grid);
  if (face.bright < leastBright) {
    const around = lightOf(gridOf(small, wholeOf(small)));
    return around.bright > 2.2 * face.bright ? "backlit" : "dark";
  }
  return face.burnt > 0.2 ? "bright" : null;
}

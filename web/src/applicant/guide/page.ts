import { type Grey, smooth, turned } from "./grey.ts";
import { type Line, linesOf, support, yOf } from "./lines.ts";

export type Point = { readonly x: number; readonly y: number };
/** The corners of a page from the top left clockwise. */
export type Quad = readonly [Point, Point, Point, Point];

/** Width by height of the documents there are: ID-1 cards, visas, passports and ID-2. */
const shapes = { card: [85.6 / 53.98], page: [125 / 88, 120 / 80], any: [85.6 / 53.98, 125 / 88] } as const;
export type Shape = keyof typeof shapes;

const smallest = 0.06; // part of the picture
const leastSide = 0.42; // of each side must show
const leastMean = 0.62;
const farthest = 0.22; // from the shape, as a logarithm: leaned back by 36 degrees

/** How wide the search copy is: its longer side, in pixels. */
export const searched = 320;

type Candidate = { quad: Quad; sides: [Line, Line, Line, Line]; score: number };

/**
 * Looks for a page in a small picture (`searched` pixels long): four straight steps in brightness, two nearly level and
 * two nearly upright, that together have the shape of a document. Corners are in pixels of the picture.
 */
export function findPage(grey: Grey, shape: Shape): Quad | null {
  const calm = smooth(grey);
  const level = linesOf(calm);
  const upright = linesOf(turned(calm));
  let best: Candidate | null = null;
  for (const [top, foot] of pairs(level.lines, grey.width, grey.height)) {
    for (const [left, right] of pairs(upright.lines, grey.height, grey.width)) {
      const candidate = judged(grey, shape, [top, right, foot, left]);
      if (!candidate || candidate.score <= (best?.score ?? 0)) continue;
      if (standsOut(calm, candidate.quad)) best = candidate;
    }
  }
  return best ? best.quad : null;
}

/** Every two lines that are far enough apart to be opposite sides, the upper one first. */
function pairs(lines: Line[], length: number, height: number): [Line, Line][] {
  const out: [Line, Line][] = [];
  for (const a of lines) {
    for (const b of lines) {
      const apart = Math.min(yOf(b, 0, length) - yOf(a, 0, length), yOf(b, length, length) - yOf(a, length, length));
      if (apart > height * 0.12 && Math.abs(a.slope - b.slope) < 0.35) out.push([a, b]);
    }
  }
  return out;
}

/** Where a level line and an upright one (whose x and y are exchanged) meet. */
function meeting({ width, height }: Grey, level: Line, upright: Line): Point {
  // y = p + s·x and x = q + t·y
  const p = level.at - (level.slope * width) / 2;
  const q = upright.at - (upright.slope * height) / 2;
  const y = (p + level.slope * q) / (1 - level.slope * upright.slope);
  return { x: q + upright.slope * y, y };
}

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

function areaOf([a, b, c, d]: Quad): number {
  return Math.abs((a.x - c.x) * (b.y - d.y) - (b.x - d.x) * (a.y - c.y)) / 2;
}

/** Mean width and height of a page. */
export function sizeOf([tl, tr, br, bl]: Quad): { width: number; height: number } {
  return { width: (distance(tl, tr) + distance(bl, br)) / 2, height: (distance(tl, bl) + distance(tr, br)) / 2 };
}

function misfit({ width, height }: { width: number; height: number }, shape: Shape): number {
  const ratio = Math.log(Math.max(width, height) / Math.min(width, height));
  return Math.min(...shapes[shape].map((wanted) => Math.abs(ratio - Math.log(wanted))));
}

function judged(grey: Grey, shape: Shape, sides: [Line, Line, Line, Line]): Candidate | null {
  const [top, right, foot, left] = sides;
  const quad: Quad = [
    meeting(grey, top, left),
    meeting(grey, top, right),
    meeting(grey, foot, right),
    meeting(grey, foot, left),
  ];
  const [tl, tr, br, bl] = quad;
  const inside = ({ x, y }: Point) => x > -2 && y > -2 && x < grey.width + 2 && y < grey.height + 2;
  if (!quad.every(inside)) return null;
  const part = areaOf(quad) / (grey.width * grey.height);
  if (part < smallest) return null;
  const off = misfit(sizeOf(quad), shape);
  if (off > farthest) return null;
  const seen = [
    support(top, tl.x, tr.x),
    support(right, tr.y, br.y),
    support(foot, bl.x, br.x),
    support(left, tl.y, bl.y),
  ];
  const least = Math.min(...seen);
  const mean = seen.reduce((sum, one) => sum + one, 0) / seen.length;
  if (least < leastSide || mean < leastMean) return null;
  const beyond =
    (overshoot(top, tl.x, tr.x) +
      overshoot(foot, bl.x, br.x) +
      overshoot(left, tl.y, bl.y) +
      overshoot(right, tr.y, br.y)) /
    4;
  const lit = top.rising === left.rising && foot.rising === right.rising && top.rising !== foot.rising;
  const score = mean + least / 2 - 0.3 * beyond - 1.5 * off * off + 0.3 * Math.sqrt(part) + (lit ? 0.12 : 0);
  return { quad, sides, score };
}

/** How much a line goes on beyond its two ends, as a table's edge does and a page's does not. */
function overshoot(line: Line, from: number, to: number): number {
  const more = (to - from) * 0.15;
  return (support(line, from - more, from - 3) + support(line, to + 3, to + more)) / 2;
}

const band = [3, 4.5, 6] as const; // pixels inside and outside of a side
const leastStep = 9; // grey levels between the two
const sidesSeen = 3; // of four: one may lie on something like itself

/** Returns whether a page is brighter or darker than its background: a block of print is on the same paper inside and out. */
function standsOut(grey: Grey, quad: Quad): boolean {
  const [tl, tr, br, bl] = quad;
  const sides = [
    [tl, tr],
    [tr, br],
    [br, bl],
    [bl, tl],
  ] as const;
  const steps = sides.map(([from, to]) => stepAcross(grey, from, to));
  const brighter = steps.filter((step) => step === null || step >= leastStep);
  const darker = steps.filter((step) => step === null || step <= -leastStep);
  return Math.max(brighter.length, darker.length) >= sidesSeen;
}

/** How much brighter a page is inside a side than outside; null where the picture ends there. */
function stepAcross({ width, height, data }: Grey, from: Point, to: Point): number | null {
  const length = distance(from, to);
  const out = { x: (to.y - from.y) / length, y: (from.x - to.x) / length };
  const median = (way: 1 | -1): number | null => {
    const values: number[] = [];
    for (let i = 1; i < 24; i++) {
      for (const off of band) {
        const x = Math.round(from.x + ((to.x - from.x) * i) / 24 + way * out.x * off);
        const y = Math.round(from.y + ((to.y - from.y) * i) / 24 + way * out.y * off);
        if (x >= 0 && y >= 0 && x < width && y < height) values.push(data[y * width + x] ?? 0);
      }
    }
    values.sort((a, b) => a - b);
    return values[values.length >> 1] ?? null;
  };
  const outer = median(1);
  const inner = median(-1);
  return outer === null || inner === null ? null : inner - outer;
}

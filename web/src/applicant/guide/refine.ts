import type { Grey } from "./grey.ts";
import { distance, type Point, type Quad } from "./page.ts";

const reach = 4; // pixels on either side of the edge that was voted for
const samples = 48;

/** Moves each side of a page to where brightness really steps most, and the corners with them. */
export function refined(grey: Grey, quad: Quad): Quad {
  const [tl, tr, br, bl] = quad;
  const sides = [fitted(grey, tl, tr), fitted(grey, tr, br), fitted(grey, br, bl), fitted(grey, bl, tl)] as const;
  const [top, right, foot, left] = sides;
  return [
    crossing(left, top) ?? tl,
    crossing(top, right) ?? tr,
    crossing(right, foot) ?? br,
    crossing(foot, left) ?? bl,
  ];
}

type Straight = { from: Point; to: Point };

/** A straight line through the strongest steps near a side: least squares, twice, the second time without outliers. */
function fitted(grey: Grey, from: Point, to: Point): Straight {
  const length = distance(from, to);
  if (length < 8) return { from, to };
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const out = { x: along.y, y: -along.x };
  const found: { t: number; off: number }[] = [];
  for (let i = 0; i < samples; i++) {
    const t = 0.06 + (0.88 * (i + 0.5)) / samples; // the corners are round
    const off = strongest(grey, { x: from.x + along.x * length * t, y: from.y + along.y * length * t }, out);
    if (off !== null) found.push({ t, off });
  }
  let line = { a: 0, b: 0 };
  for (const tolerance of [reach, 1.2]) {
    const good = found.filter(({ t, off }) => Math.abs(off - line.a - line.b * t) <= tolerance);
    if (good.length < samples / 3) break;
    line = leastSquares(good);
  }
  const move = (p: Point, off: number): Point => ({ x: p.x + out.x * off, y: p.y + out.y * off });
  return { from: move(from, line.a), to: move(to, line.a + line.b) };
}

function strongest({ width, height, data }: Grey, at: Point, out: Point): number | null {
  const value = (off: number): number => {
    const x = Math.round(at.x + out.x * off);
    const y = Math.round(at.y + out.y * off);
    return x < 0 || y < 0 || x >= width || y >= height ? -1 : (data[y * width + x] ?? 0);
  };
  let best: number | null = null;
  let most = 6;
  for (let off = -reach; off <= reach; off += 0.5) {
    const inner = value(off - 1);
    const outer = value(off + 1);
    if (inner < 0 || outer < 0) continue;
    const step = Math.abs(outer - inner);
    if (step > most) [best, most] = [off, step];
  }
  return best;
}

function leastSquares(points: { t: number; off: number }[]): { a: number; b: number } {
  const n = points.length;
  const mt = points.reduce((sum, { t }) => sum + t, 0) / n;
  const mo = points.reduce((sum, { off }) => sum + off, 0) / n;
  const tt = points.reduce((sum, { t }) => sum + (t - mt) ** 2, 0);
  const to = points.reduce((sum, { t, off }) => sum + (t - mt) * (off - mo), 0);
  const b = tt > 0 ? to / tt : 0;
  return { a: mo - b * mt, b };
}

function crossing(one: Straight, other: Straight): Point | null {
  const d = { x: one.to.x - one.from.x, y: one.to.y - one.from.y };
  const e = { x: other.to.x - other.from.x, y: other.to.y - other.from.y };
  const across = d.x * e.y - d.y * e.x;
  if (Math.abs(across) < 1e-6) return null;
  const s = ((other.from.x - one.from.x) * e.y - (other.from.y - one.from.y) * e.x) / across;
  return { x: one.from.x + d.x * s, y: one.from.y + d.y * s };
}

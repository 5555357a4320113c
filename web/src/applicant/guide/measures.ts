import type { Grey } from "./grey.ts";
import type { Point, Quad } from "./page.ts";

const columns = 48;
const rows = 34;

/** Grey levels on a grid of 48 × 34 over a page, its outermost tenth left out: the same places however the page is turned. */
export function gridOf({ width, height, data }: Grey, [tl, tr, br, bl]: Quad): Uint8Array {
  const grid = new Uint8Array(columns * rows);
  const mix = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  for (let row = 0; row < rows; row++) {
    const down = 0.05 + (0.9 * (row + 0.5)) / rows;
    const from = mix(tl, bl, down);
    const to = mix(tr, br, down);
    for (let column = 0; column < columns; column++) {
      const at = mix(from, to, 0.05 + (0.9 * (column + 0.5)) / columns);
      const x = Math.max(0, Math.min(width - 1, Math.round(at.x)));
      const y = Math.max(0, Math.min(height - 1, Math.round(at.y)));
      grid[row * columns + column] = data[y * width + x] ?? 0;
    }
  }
  return grid;
}

/** The whole picture as a page. */
export const wholeOf = ({ width, height }: { width: number; height: number }): Quad => [
  { x: 0, y: 0 },
  { x: width - 1, y: 0 },
  { x: width - 1, y: height - 1 },
  { x: 0, y: height - 1 },
];

export type Light = {
  /** Brightness (0–255) that nine tenths stay below: paper, or skin. */
  bright: number;
  /** And one twentieth: ink, or hair. */
  dark: number;
  /** Part (0–1) in patches that are burnt out. */
  burnt: number;
};

export function lightOf(grid: Uint8Array): Light {
  const sorted = Uint8Array.from(grid).sort();
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  let burnt = 0;
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column < columns - 1; column++) {
      const i = row * columns + column;
      const around = [0, 1, -1, columns, -columns].every((step) => (grid[i + step] ?? 0) >= 250);
      if (around) burnt++;
    }
  }
  return { bright: at(0.9), dark: at(0.05), burnt: burnt / ((rows - 2) * (columns - 2)) };
}

/** Mean change (0–1) between two grids, in parts of their contrast; for a scene that grew brighter as a whole it is 0. */
export function changeOf(before: Uint8Array, now: Uint8Array): number {
  const { bright, dark } = lightOf(now);
  let offset = 0;
  for (let i = 0; i < now.length; i++) offset += (now[i] ?? 0) - (before[i] ?? 0);
  offset /= now.length;
  let sum = 0;
  for (let i = 0; i < now.length; i++) sum += Math.abs((now[i] ?? 0) - (before[i] ?? 0) - offset);
  return sum / now.length / Math.max(20, bright - dark);
}

/** The part (0–1) of places where brightness changes clearly to the right or below: print has much, a bare sheet little. */
export function printOf(grid: Uint8Array): number {
  let steps = 0;
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const i = row * columns + column;
      const here = grid[i] ?? 0;
      if (Math.abs(here - (grid[i + 1] ?? 0)) > 12 || Math.abs(here - (grid[i + columns] ?? 0)) > 12) steps++;
    }
  }
  return steps / ((rows - 1) * (columns - 1));
}

/**
 * How far the picture's edges are spread, as the sigma in pixels of the blur that would spread them so (0.4 at best), in
 * the worse of the two directions, so that a movement shows. Only steps of a third of the contrast or more are looked
 * at: noise does not pass for detail. Null where there are too few.
 */
export function blurOf({ data, width, height }: Grey): number | null {
  const clear = Math.max(30, contrastOf(data) * 0.35);
  const spread = [stepsOf(data, width, height, 1, width, clear), stepsOf(data, height, width, width, 1, clear)]
    .filter((steps) => steps.length >= 40)
    .map((steps) => {
      steps.sort((a, b) => a - b);
      return 0.4 / Math.max(0.02, steps[Math.floor(steps.length * 0.75)] ?? 1);
    });
  return spread.length > 0 ? Math.max(...spread) : null;
}

/** For every clear rise or fall along the lines of a picture, the part of it that its steepest pixel takes. */
function stepsOf(data: Uint8Array, length: number, lines: number, next: number, skip: number, clear: number): number[] {
  const out: number[] = [];
  const value = (line: number, k: number): number => {
    const i = line * skip + k * next;
    return (data[i - skip] ?? 0) + 2 * (data[i] ?? 0) + (data[i + skip] ?? 0);
  };
  for (let line = 1; line < lines - 1; line += 2) {
    let rise = 0;
    let steepest = 0;
    for (let k = 1; k < length; k++) {
      const step = (value(line, k) - value(line, k - 1)) / 4;
      if (step * rise < 0 || step === 0) {
        if (Math.abs(rise) >= clear) out.push(steepest / Math.abs(rise));
        rise = 0;
        steepest = 0;
      }
      rise += step;
      steepest = Math.max(steepest, Math.abs(step));
    }
  }
  return out;
}

function contrastOf(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1;
  const at = (part: number): number => {
    let left = data.length * part;
    for (let value = 0; value < 256; value++) {
      left -= counts[value] ?? 0;
      if (left <= 0) return value;
    }
    return 255;
  };
  return at(0.97) - at(0.02);
}

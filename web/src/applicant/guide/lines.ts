import type { Grey } from "./grey.ts";

/**
 * A nearly level line, y = at + slope · (x − width / 2), along which brightness steps: up (`rising`) or down from above to
 * below. `before[x]` counts the columns left of x at which the step is really seen.
 */
export type Line = { at: number; slope: number; rising: boolean; votes: number; before: Uint16Array };

const steepest = 0.45; // 24 degrees: a page that is held, turned and leaned
const slopes = 31;
const kept = 14;
const near = 4; // pixels: lines nearer than this are one
const faintest = 7; // grey levels of a step that counts
const strongest = 48; // and beyond which it counts no more

const slopeOf = (bin: number): number => steepest * ((2 * bin) / (slopes - 1) - 1);
export const yOf = (line: { at: number; slope: number }, x: number, width: number): number =>
  line.at + line.slope * (x - width / 2);

/** Where brightness steps most from above to below, in signed grey levels; 0 where it steps more a row above or below. */
export type Steps = { readonly width: number; readonly height: number; readonly data: Int16Array };

/** `across` is the step from left to right at the same place, for the direction of the edge. */
function stepsOf({ width, height, data }: Grey): { down: Steps; across: Int16Array } {
  const raw = new Int16Array(width * height);
  const across = new Int16Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const a = data[i - width - 1] ?? 0;
      const b = data[i - width] ?? 0;
      const c = data[i - width + 1] ?? 0;
      const d = data[i - 1] ?? 0;
      const f = data[i + 1] ?? 0;
      const g = data[i + width - 1] ?? 0;
      const h = data[i + width] ?? 0;
      const k = data[i + width + 1] ?? 0;
      raw[i] = (g + 2 * h + k - a - 2 * b - c) / 4;
      across[i] = (c + 2 * f + k - a - 2 * d - g) / 4;
    }
  }
  const thin = new Int16Array(width * height);
  for (let i = width; i < raw.length - width; i++) {
    const step = raw[i] ?? 0;
    const size = Math.abs(step);
    if (size < faintest) continue;
    if (size >= Math.abs(raw[i - width] ?? 0) && size > Math.abs(raw[i + width] ?? 0)) thin[i] = step;
  }
  return { down: { width, height, data: thin }, across };
}

/** The strongest nearly level lines of a smoothed picture. Each step votes for the lines that run its own way. */
export function linesOf(grey: Grey): { lines: Line[]; steps: Steps } {
  const { down, across } = stepsOf(grey);
  const { width, height } = grey;
  const votes = [new Uint32Array(slopes * height), new Uint32Array(slopes * height)] as const;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const step = down.data[i] ?? 0;
      if (step === 0) continue;
      const own = -(across[i] ?? 0) / step;
      if (Math.abs(own) > steepest + 0.1) continue;
      const bin = Math.round(((own / steepest + 1) * (slopes - 1)) / 2);
      const table = step > 0 ? votes[0] : votes[1];
      const weight = Math.min(Math.abs(step), strongest);
      for (let k = Math.max(0, bin - 3); k <= Math.min(slopes - 1, bin + 3); k++) {
        const at = Math.round(y - slopeOf(k) * (x - width / 2));
        if (at >= 0 && at < height) table[k * height + at] = (table[k * height + at] ?? 0) + weight;
      }
    }
  }
  const found = [...peaks(votes[0], true, grey), ...peaks(votes[1], false, grey)].sort((a, b) => b.votes - a.votes);
  const lines = found.slice(0, kept).map((line) => ({ ...line, before: seen(line, down) }));
  return { lines, steps: down };
}

type Peak = Omit<Line, "before">;

function peaks(votes: Uint32Array, rising: boolean, { width, height }: Grey): Peak[] {
  const least = width * 2; // an eighth of the width in steps of sixteen
  const all: Peak[] = [];
  for (let k = 0; k < slopes; k++) {
    for (let at = 1; at < height - 1; at++) {
      const i = k * height + at;
      const count = (votes[i] ?? 0) + ((votes[i - 1] ?? 0) + (votes[i + 1] ?? 0)) / 2;
      if (count >= least && (votes[i] ?? 0) >= (votes[i - 1] ?? 0) && (votes[i] ?? 0) >= (votes[i + 1] ?? 0)) {
        all.push({ at, slope: slopeOf(k), rising, votes: count });
      }
    }
  }
  all.sort((a, b) => b.votes - a.votes);
  const out: Peak[] = [];
  const apart = (a: Peak, b: Peak) =>
    Math.abs(yOf(a, width / 4, width) - yOf(b, width / 4, width)) > near ||
    Math.abs(yOf(a, (3 * width) / 4, width) - yOf(b, (3 * width) / 4, width)) > near;
  for (const peak of all) {
    if (out.every((other) => apart(peak, other))) out.push(peak);
    if (out.length === kept) break;
  }
  return out;
}

function seen(line: Peak, { width, height, data }: Steps): Uint16Array {
  const before = new Uint16Array(width + 1);
  for (let x = 0; x < width; x++) {
    const y = Math.round(yOf(line, x, width));
    let hit = 0;
    for (let dy = -1; dy <= 1 && hit === 0; dy++) {
      if (y + dy < 0 || y + dy >= height) continue;
      const step = data[(y + dy) * width + x] ?? 0;
      if (line.rising ? step > 0 : step < 0) hit = 1;
    }
    before[x + 1] = (before[x] ?? 0) + hit;
  }
  return before;
}

/** The part (0–1) of a line between two columns at which its step is seen; columns beyond the picture do not count. */
export function support(line: Line, from: number, to: number): number {
  const last = line.before.length - 1;
  const a = Math.max(0, Math.min(last, Math.round(Math.min(from, to))));
  const b = Math.max(0, Math.min(last, Math.round(Math.max(from, to))));
  return b - a < 4 ? 0 : ((line.before[b] ?? 0) - (line.before[a] ?? 0)) / (b - a);
}

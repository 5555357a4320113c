// @vitest-environment node
import { describe, expect, it } from "vitest";
import { judgeFace } from "../src/applicant/guide/face.ts";
import type { Face } from "../src/applicant/guide/face-net.ts";
import type { Grey } from "../src/applicant/guide/grey.ts";
import { judgePage, type Scene, type Sight } from "../src/applicant/guide/judge.ts";
import { blurOf, printOf } from "../src/applicant/guide/measures.ts";
import { distance, findPage, type Point, type Quad, type Shape } from "../src/applicant/guide/page.ts";
import { Prompter } from "../src/applicant/guide/prompter.ts";
import { refined } from "../src/applicant/guide/refine.ts";
import { follow, holdFrames, type Streak } from "../src/applicant/guide/streak.ts";
import type { Advice } from "../src/applicant/guide/talk.ts";

/** Chance that is the same in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

type Drawn = {
  size?: [number, number];
  middle?: Point;
  width?: number;
  ratio?: number;
  /** Degrees in the plane, and how much shorter the far side is. */
  turn?: number;
  lean?: number;
  desk?: number;
  paper?: number;
  ink?: number;
  light?: number;
  noise?: number;
  print?: boolean;
  glare?: number;
  seed?: number;
};

/** A page with lines of print on a desk, as a camera might show it, and where its corners are. */
function drawn(more: Drawn = {}): { grey: Grey; quad: Quad } {
  const { size = [320, 240], middle = { x: 160, y: 120 }, width = 220, ratio = 125 / 88, turn = 0, lean = 0 } = more;
  const { desk = 96, paper = 205, ink = 60, light = 1, noise = 4, print = true, glare = 0, seed = 7 } = more;
  const [w, h] = size;
  const chance = dice(seed);
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const half = { x: width / 2, y: width / ratio / 2 };
  const place = (u: number, v: number): Point => {
    const far = 1 - lean * (0.5 - v / 2 / 1);
    const [x, y] = [u * half.x * far, v * half.y];
    return { x: middle.x + x * cos - y * sin, y: middle.y + x * sin + y * cos };
  };
  const quad: Quad = [place(-1, -1), place(1, -1), place(1, 1), place(-1, 1)];
  const data = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [dx, dy] = [x - middle.x, y - middle.y];
      const v = (-dx * sin + dy * cos) / half.y;
      const u = (dx * cos + dy * sin) / half.x / (1 - lean * (0.5 - v / 2));
      let value = desk;
      if (Math.abs(u) <= 1 && Math.abs(v) <= 1) {
        const line = print && Math.abs(v) < 0.86 && Math.abs(u) < 0.86 && Math.floor((v + 1) * 9) % 2 === 0;
        value = line && Math.floor((u + 1) * 31 + Math.floor((v + 1) * 9) * 3) % 3 === 0 ? ink : paper;
        if (glare > 0 && Math.hypot(u - 0.2, v + 0.1) < glare) value = 255;
      }
      const grain = (chance() + chance() + chance() - 1.5) * noise;
      data[y * w + x] = Math.max(0, Math.min(255, value === 255 ? 255 : value * light + grain));
    }
  }
  return { grey: { width: w, height: h, data }, quad };
}

const found = (grey: Grey, shape: Shape) => {
  const quad = findPage(grey, shape);
  return quad ? refined(grey, quad) : null;
};
const farthest = (a: Quad, b: Quad) => Math.max(...a.map((corner, i) => distance(corner, b[i] ?? corner)));

describe("finding a page", () => {
  it.each<[string, Drawn, Shape]>([
    ["lies straight", {}, "page"],
    ["is turned by 8 degrees", { turn: 8 }, "page"],
    ["is turned the other way and leans back", { turn: -9, lean: 0.12 }, "page"],
    ["is a card", { ratio: 85.6 / 53.98 }, "card"],
    ["is a card of an unknown kind", { ratio: 85.6 / 53.98, turn: 3 }, "any"],
    ["is held upright before an upright phone", { size: [240, 320], middle: { x: 120, y: 160 }, width: 190 }, "page"],
    ["is darker than what it lies on", { desk: 220, paper: 110, ink: 30 }, "page"],
    ["lies in low light", { light: 0.35, noise: 6 }, "page"],
    ["is hardly brighter than the desk", { desk: 150, paper: 175 }, "page"],
    ["is small", { width: 110 }, "page"],
  ])("finds the corners of one that %s", (_, more, shape) => {
    const { grey, quad } = drawn(more);
    const seen = found(grey, shape);
    expect(seen).not.toBeNull();
    if (seen) expect(farthest(seen, quad)).toBeLessThan(5);
  });

  it.each<[string, Grey, Shape]>([
    ["a bare desk", drawn({ width: 0.001 }).grey, "any"],
    ["a table's edges that run on", striped(), "any"],
    ["a sheet twice as long as a document", drawn({ ratio: 2.6 }).grey, "page"],
  ])("finds none on %s", (_, grey, shape) => expect(findPage(grey, shape)).toBeNull());
});

function striped(): Grey {
  const data = new Uint8Array(320 * 240);
  for (let y = 0; y < 240; y++) for (let x = 0; x < 320; x++) data[y * 320 + x] = y > 90 && y < 200 ? 190 : 80;
  return { width: 320, height: 240, data };
}

const scene = (grey: Grey, more: Partial<Scene> = {}): Scene => ({
  small: grey,
  scale: 8,
  visible: { x0: 0, y0: 0, x1: 1, y1: 1 },
  before: null,
  blur: () => 0.001,
  ...more,
});

/** Judges the same scene twice, as a camera that is held still shows it. */
function advised(more: Drawn, change: Partial<Scene> = {}): Advice {
  const first: Sight = judgePage(scene(drawn(more).grey, change), "page");
  return judgePage(scene(drawn({ ...more, seed: 8 }).grey, { before: first, ...change }), "page").advice;
}

describe("judging a page", () => {
  it.each<[string, Advice, Drawn, Partial<Scene>]>([
    ["a good one", "hold", {}, {}],
    ["nothing", "search", { width: 0.001 }, {}],
    ["a sheet without print", "search", { print: false }, {}],
    ["one that is far away", "closer", { width: 120 }, {}],
    ["one that has too few pixels", "closer", {}, { scale: 3 }],
    ["one that fills the picture and still has too few", "coarse", { width: 308 }, { scale: 2 }],
    ["one that touches the edge of what is seen", "back", {}, { visible: { x0: 0.15, y0: 0, x1: 0.84, y1: 1 } }],
    ["one in the dark", "dark", { light: 0.3 }, {}],
    ["one with a reflection on it", "glare", { glare: 0.35 }, {}],
    ["one that is burnt out", "bright", { glare: 1.2 }, {}],
    ["one that is not sharp", "blurred", {}, { blur: () => 0.004 }],
    ["one whose sharpness cannot be told", "hold", {}, { blur: () => null }],
  ])("%s: %s", (_, advice, more, change) => expect(advised(more, change)).toBe(advice));

  it.each([330, 360, 420, 520])("a page %i wide, whose corners lie outside the picture, is never held", (width) => {
    expect(advised({ width })).not.toBe("hold");
  });

  it("the first frame and one that moved are not still", () => {
    const first = judgePage(scene(drawn().grey), "page");
    expect(first.advice).toBe("still");
    const moved = scene(drawn({ middle: { x: 165, y: 122 } }).grey, { before: first });
    expect(judgePage(moved, "page").advice).toBe("still");
  });
});

describe("judging the light on a face", () => {
  it.each<[string, Advice, Drawn]>([
    ["fair light", "search", { width: 150 }],
    ["the dark", "dark", { width: 150, light: 0.25 }],
    ["light from behind", "backlit", { width: 160, ratio: 1, desk: 250, paper: 60, ink: 30 }],
    ["a lamp in the face", "bright", { width: 150, glare: 0.9 }],
  ])("%s: %s", (_, advice, more) => expect(judgeFace(scene(drawn(more).grey), null, "oval").advice).toBe(advice));
});

/** A face about a place, in parts of the picture; `size` is how wide it is. */
const faceAt = (size: number, x = 0.5, y = 0.48): Face => ({
  x0: x - size / 2,
  x1: x + size / 2,
  y0: y - size * 0.9,
  y1: y + size * 0.9,
  score: 0.99,
});

describe("judging a face", () => {
  it.each<[string, Advice, Face[]]>([
    ["one in the oval", "hold", [faceAt(0.26)]],
    ["none", "search", []],
    ["one beside the oval", "search", [faceAt(0.26, 0.75)]],
    ["one above it", "search", [faceAt(0.26, 0.5, 0.2)]],
    ["one that is far away", "closer", [faceAt(0.1)]],
    ["one that is too near", "back", [faceAt(0.6)]],
    ["two that are as large", "alone", [faceAt(0.26), faceAt(0.2, 0.85)]],
    ["one, and a small one far behind", "hold", [faceAt(0.26), faceAt(0.06, 0.9)]],
  ])("%s: %s", (_, advice, faces) => {
    const grey = drawn({ width: 150 }).grey;
    const first = judgeFace(scene(grey), faces, "oval");
    expect(judgeFace(scene(grey, { before: first }), faces, "oval").advice).toBe(advice);
  });

  it.each<["oval" | "face", Advice, number]>([
    ["oval", "hold", 0.4],
    ["face", "back", 0.4],
    ["oval", "hold", 0.26],
    ["face", "hold", 0.26],
    ["face", "closer", 0.1],
  ])("fits the %s that is drawn: %s to a face %d of the picture wide", (shape, advice, size) => {
    const grey = drawn({ width: 150 }).grey;
    const first = judgeFace(scene(grey), [faceAt(size)], shape);
    expect(judgeFace(scene(grey, { before: first }), [faceAt(size)], shape).advice).toBe(advice);
  });

  it("in the dark says so whether it is found or not, and is not well while it moves", () => {
    const dark = drawn({ width: 150, light: 0.25 }).grey;
    expect(judgeFace(scene(dark), [], "oval").advice).toBe("dark");
    expect(judgeFace(scene(dark), [faceAt(0.26)], "oval").advice).toBe("dark");
    const before = judgeFace(scene(drawn({ width: 260, ink: 10 }).grey), [faceAt(0.26)], "oval");
    expect(judgeFace(scene(drawn({ width: 90 }).grey, { before }), [faceAt(0.26)], "oval").advice).toBe("still");
  });
});

describe("measuring", () => {
  const blurred = (sigma: number): Grey => {
    const [w, h] = [400, 240];
    const data = new Uint8Array(w * h);
    const soft = (t: number) => 1 / (1 + Math.exp((-1.702 * t) / sigma));
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const bar = (at: number) => soft((at % 40) - 10) - soft((at % 40) - 30);
        data[y * w + x] = 220 - 170 * bar(x) * bar(y);
      }
    }
    return { width: w, height: h, data };
  };

  it("follows the blur of edges", () => {
    const measured = [1, 2, 3, 4].map((sigma) => blurOf(blurred(sigma)) ?? 0);
    for (const [i, value] of measured.entries()) expect(Math.abs(value - (i + 1))).toBeLessThan(0.35 * (i + 1));
    expect([...measured].sort((a, b) => a - b)).toEqual(measured);
  });

  it("does not know the blur where there are no edges", () => {
    expect(blurOf({ width: 200, height: 200, data: new Uint8Array(40_000).fill(128) })).toBeNull();
  });

  it("tells print from a bare sheet", () => {
    expect(printOf(new Uint8Array(48 * 34).fill(200))).toBe(0);
  });
});

describe("holding still", () => {
  const run = (frames: { advice?: Advice; blur?: number | null }[]) => {
    let streak: Streak | null = null;
    return frames.map(({ advice = "hold", blur = 0.001 }, i) => {
      const step = follow(streak, { advice, blur, at: i * 200 });
      streak = step.streak;
      return step;
    });
  };

  it("is over after its time and in enough frames, and the sharpest frame is the best", () => {
    const steps = run([{ blur: 0.002 }, { blur: 0.001 }, { blur: 0.0015 }, {}, {}]);
    expect(steps.map(({ best }) => best)).toEqual([true, true, false, false, false]);
    expect(steps.findIndex(({ held }) => held >= 1)).toBe(holdFrames);
  });

  it("begins anew after anything that is not well", () => {
    const steps = run([{}, {}, {}, { advice: "still" }, {}, {}]);
    expect(steps.map(({ held }) => held < 1)).toEqual([true, true, true, true, true, true]);
    expect(steps[3]?.streak).toBeNull();
  });
});

describe("saying what to do", () => {
  it("keeps each advice long enough to be read, and says at once that all is well", () => {
    const prompter = new Prompter();
    const said = [
      prompter.hear("closer", 0),
      prompter.hear("closer", 400),
      prompter.hear("dark", 500),
      prompter.hear("dark", 1000),
      prompter.hear("dark", 1800),
      prompter.hear("hold", 1900),
    ];
    expect(said).toEqual(["search", "closer", "closer", "closer", "dark", "hold"]);
  });

  it("says how to go on when nothing was found for long", () => {
    const prompter = new Prompter();
    const said = [0, 2500, 3500, 8000, 9500].map((at) => prompter.hear("search", at));
    expect(said).toEqual(["search", "search", "unseen", "unseen", "lost"]);
  });
});

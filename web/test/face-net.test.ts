// @vitest-environment node
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FaceNet, faceSearched } from "../src/applicant/guide/face-net.ts";

const file = readFileSync("src/applicant/guide/face-net.bin");
const net = new FaceNet(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));

type Colour = [number, number, number];
type Spot = { at: [x: number, y: number]; of: [rx: number, ry: number]; colour: Colour };

const body: Spot = { at: [80, 150], of: [60, 50], colour: [60, 70, 110] };
const head: Spot[] = [
  { at: [80, 56], of: [27, 36], colour: [70, 50, 40] },
  { at: [80, 62], of: [22, 31], colour: [205, 160, 135] },
  { at: [71, 55], of: [4, 2.2], colour: [40, 30, 30] },
  { at: [89, 55], of: [4, 2.2], colour: [40, 30, 30] },
  { at: [71, 50], of: [6, 1], colour: [80, 55, 45] },
  { at: [89, 50], of: [6, 1], colour: [80, 55, 45] },
  { at: [80, 67], of: [3, 4], colour: [180, 130, 110] },
  { at: [80, 78], of: [9, 2.5], colour: [160, 75, 75] },
];

/** Somebody drawn with ovals on 160 × 120 units, at the size that is searched on a phone. */
function drawn(spots: readonly Spot[]): { pixels: Uint8ClampedArray; width: number; height: number } {
  const [width, height] = [faceSearched, 0.75 * faceSearched];
  const scale = width / 160;
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / scale, y / scale];
      let colour: Colour = [120 + v * 0.3, 140, 150 + u * 0.2];
      for (const { at, of, colour: own } of spots) {
        if (((u - at[0]) / of[0]) ** 2 + ((v - at[1]) / of[1]) ** 2 >= 1) continue;
        const shade = own[0] === 205 ? Math.abs(u - 80) : 0;
        colour = [own[0] - shade, own[1] - shade, own[2] - shade];
      }
      pixels.set(colour, 4 * (y * width + x));
    }
  }
  return { pixels, width, height };
}
const found = ({ pixels, width, height }: ReturnType<typeof drawn>) => net.find(pixels, width, height);
const moved = (spots: readonly Spot[], x: number): Spot[] =>
  spots.map((spot) => ({ ...spot, at: [spot.at[0] + x, spot.at[1]] }));

describe("finding faces in the browser", () => {
  it("finds the box that the network's definition says, in 32 bits", () => {
    const [face] = found(drawn([body, ...head]));
    const { x0 = 0, y0 = 0, x1 = 0, y1 = 0, score = 0 } = face ?? {};
    // By models/tflite_reference.mjs, made a head as the server makes it.
    const want = [0.376, 0.277, 0.63, 0.757];
    for (const [i, value] of [x0, y0, x1, y1].entries()) expect(Math.abs(value - (want[i] ?? 0))).toBeLessThan(0.012);
    expect(score).toBeGreaterThan(0.8);
  });

  it("finds it wherever it is", () => {
    for (const x of [-40, 0, 35]) {
      const faces = found(drawn(moved([body, ...head], x)));
      expect(faces.length).toBe(1);
      const middle = ((faces[0]?.x0 ?? 0) + (faces[0]?.x1 ?? 0)) / 2;
      expect(Math.abs(middle - (80 + x) / 160)).toBeLessThan(0.06);
    }
  });

  it("finds it as large wherever it is: what overlaps has its part in the box", () => {
    const sizes = [-12, -9, -6, -3, 0, 3, 6, 9, 12].map((x) => {
      const [face] = found(drawn(moved([body, ...head], x)));
      return Math.sqrt(((face?.x1 ?? 0) - (face?.x0 ?? 0)) * ((face?.y1 ?? 0) - (face?.y0 ?? 0)));
    });
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.05); // 1.065 by the surest box alone
  });

  it("finds two people, and nobody in a room or a body without a head", () => {
    expect(found(drawn([...moved(head, -40), ...moved(head, 40)])).length).toBe(2);
    expect(found(drawn([]))).toEqual([]);
    expect(found(drawn([body]))).toEqual([]);
  });

  it("takes a picture that stands upright", () => {
    const { pixels } = drawn([body, ...head]);
    expect(() => net.find(pixels, 96, 128)).not.toThrow();
  });

  it("has the weights that scripts/face-net.mjs made", () => {
    expect(createHash("sha256").update(file).digest("hex")).toBe(
      "6c434673043c0a4a336847539bb20dcacf5be969418426cf892b5776c24754a2",
    );
  });
});

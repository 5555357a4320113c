// A face detector small enough for a phone, in plain TypeScript: the server's own network (models/cards/face-detect.json, BlazeFace) with
// its weights in eight bits, on a picture of 128 pixels. scripts/face-net.mjs makes the weights.

/** Planes of numbers, one after the other, each row by row. */
type Planes = { channels: number; width: number; height: number; data: Float32Array };
/** A face: the box's left, upper, right and lower bound as parts (0–1) of the picture, and how sure the network is (0–1). */
export type Face = { x0: number; y0: number; x1: number; y1: number; score: number; pose?: Pose };
/**
 * Roughly how a head is held, from the network's points: where the tip of the nose is beside the middle of the eyes, in sizes of the
 * face, and how far down between eyes and mouth. For acknowledging a movement to the person only: nothing is judged by it.
 */
export type Pose = { yaw: number; pitch: number; size: number };

/** The longer side of the picture that is searched, and of the square that the network is given. */
export const faceSearched = 128;
const sure = 0.75; // the server asks a second network about what is less sure
const counted = 0.5; // from here on an answer has its part in the box of the surest
const same = 0.3; // of two boxes that overlap by more, the surer is the face
const far = 16; // numbers for each answer: the middle and the size of a box, and six points
// The network's box is a square from the brows to the chin. A face here is from hair to chin, as the server has it
// (internal/face/detect.go).
const head = { wide: 0.855, high: 1.214, above: 0.109 } as const;
/** Channels after each step, and where the picture is halved. */
const steps = [24, 28, 32, 36, 42, 48, 56, 64, 72, 80, 88, 96, 96, 96, 96, 96] as const;
const halved: readonly number[] = [2, 5, 11];
/** The step after which the finer grid is read. */
const fine = 10;

type Shape = { kernel?: 1 | 3 | 5; stride?: 1 | 2; deep?: boolean };

export class FaceNet {
  readonly #floats: Float32Array;
  readonly #bytes: Int8Array;
  #float = 0;
  #byte = 0;

  /** Takes the file of weights: how many scales and biases there are, these, then the weights, in the order of the layers. */
  constructor(file: ArrayBuffer) {
    const [count = 0] = new Uint32Array(file, 0, 1);
    this.#floats = new Float32Array(file, 4, count);
    this.#bytes = new Int8Array(file, 4 + 4 * count);
  }

  /** Finds faces in the four-channel pixels that a canvas gives, at most 128 on a side, the surest first. */
  find(pixels: Uint8ClampedArray, width: number, height: number): Face[] {
    [this.#float, this.#byte] = [0, 0];
    const left = Math.floor((faceSearched - width) / 2);
    const upper = Math.floor((faceSearched - height) / 2);
    const found: Face[] = [];
    for (const { x, y, side, score, pose } of this.#look(planesOf(pixels, { width, height, left, upper }))) {
      const [cx, cy] = [(x - left) / width, (y - upper - head.above * side) / height];
      const [w, h] = [(head.wide * side) / width, (head.high * side) / height];
      found.push({ x0: cx - w / 2, y0: cy - h / 2, x1: cx + w / 2, y1: cy + h / 2, score, pose });
    }
    return apart(found);
  }

  #look(input: Planes): Square[] {
    let now = floored(this.#layer(input, 24, { kernel: 5, stride: 2 }));
    let near = now;
    for (const [i, channels] of steps.entries()) {
      const stride = halved.includes(i) ? 2 : 1;
      const straight = stride === 2 ? pooled(now) : now;
      const deep = this.#layer(now, now.channels, { kernel: 3, stride, deep: true });
      now = this.#layer(deep, channels);
      // What there was goes on beside what was found; new channels begin at nothing.
      for (let k = 0; k < straight.data.length; k++) now.data[k] = (now.data[k] ?? 0) + (straight.data[k] ?? 0);
      floored(now);
      if (i === fine) near = now;
    }
    // The weights of both scores come before those of both boxes.
    const [sharp, coarse] = [this.#layer(near, 2), this.#layer(now, 6)];
    const sharpBoxes = this.#layer(near, far * sharp.channels);
    return [...squares(sharp, sharpBoxes), ...squares(coarse, this.#layer(now, far * coarse.channels))];
  }

  /** One convolution with the next weights; `deep` keeps to each plane. */
  #layer(input: Planes, channels: number, shape: Shape = {}): Planes {
    const { kernel = 1, stride = 1, deep = false } = shape;
    const width = input.width / stride;
    const height = input.height / stride;
    const out = { channels, width, height, data: new Float32Array(channels * width * height) };
    const factors = this.#floats.subarray(this.#float, this.#float + channels);
    const biases = this.#floats.subarray(this.#float + channels, this.#float + 2 * channels);
    this.#float += 2 * channels;
    // Of what a kernel lacks at the edges the smaller half is above and on the left.
    const first = -Math.floor((kernel - stride) / 2);
    for (let o = 0; o < channels; o++) {
      const plane = out.data.subarray(o * width * height, (o + 1) * width * height).fill(biases[o] ?? 0);
      for (let i = deep ? o : 0; i < (deep ? o + 1 : input.channels); i++) {
        const from = input.data.subarray(i * input.width * input.height, (i + 1) * input.width * input.height);
        for (let y = first; y < first + kernel; y++) {
          for (let x = first; x < first + kernel; x++) {
            const weight = (this.#bytes[this.#byte++] ?? 0) * (factors[o] ?? 0);
            if (weight !== 0) add(plane, out, from, input, { weight, x, y, stride });
          }
        }
      }
    }
    return out;
  }
}

/** Keeps what is above nothing. */
function floored(planes: Planes): Planes {
  for (let i = 0; i < planes.data.length; i++) if ((planes.data[i] ?? 0) < 0) planes.data[i] = 0;
  return planes;
}

/** The largest of each block of 2×2. */
function pooled({ channels, width, height, data }: Planes): Planes {
  const out = { channels, width: width / 2, height: height / 2, data: new Float32Array(data.length / 4) };
  for (let i = 0, row = 0; row < channels * out.height; row++) {
    for (let at = 2 * row * width, end = at + width; at < end; at += 2, i++) {
      const upper = Math.max(data[at] ?? 0, data[at + 1] ?? 0);
      out.data[i] = Math.max(upper, data[at + width] ?? 0, data[at + width + 1] ?? 0);
    }
  }
  return out;
}

type Tap = { weight: number; x: number; y: number; stride: number };
type Size = { width: number; height: number };

/** Adds a plane, shifted and weighed, to another. Values outside the plane count as zero. */
function add(to: Float32Array, out: Size, from: Float32Array, input: Size, { weight, x, y, stride }: Tap): void {
  const first = x < 0 ? Math.ceil(-x / stride) : 0;
  const last = Math.min(out.width, Math.floor((input.width - 1 - x) / stride) + 1);
  for (let row = 0; row < out.height; row++) {
    const line = row * stride + y;
    if (line < 0 || line >= input.height) continue;
    let at = line * input.width + first * stride + x;
    for (let i = row * out.width + first, end = row * out.width + last; i < end; i++, at += stride) {
      to[i] = (to[i] ?? 0) + weight * (from[at] ?? 0);
    }
  }
}

type Frame = Size & { left: number; upper: number };

/** A picture within the square that the network is given, with black around. */
function planesOf(pixels: Uint8ClampedArray, { width, height, left, upper }: Frame): Planes {
  const side = faceSearched;
  const data = new Float32Array(3 * side * side).fill(-1);
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      const at = (c * side + y + upper) * side + left;
      for (let x = 0; x < width; x++) data[at + x] = (pixels[4 * (y * width + x) + c] ?? 0) / 127.5 - 1;
    }
  }
  return { channels: 3, width: side, height: side, data };
}

/** What the network answers: a square from brows to chin, in pixels of its input. */
type Square = { x: number; y: number; side: number; score: number; pose: Pose };

/** Reads one grid: for each place and answer how sure it is of a face, and where that is against the place. */
function squares(scores: Planes, boxes: Planes): Square[] {
  const found: Square[] = [];
  const plane = scores.width * scores.height;
  const stride = faceSearched / scores.width;
  for (let at = 0; at < plane; at++) {
    for (let k = 0; k < scores.channels; k++) {
      const score = 1 / (1 + Math.exp(-(scores.data[k * plane + at] ?? 0)));
      if (score < counted) continue;
      const read = (c: number) => boxes.data[(far * k + c) * plane + at] ?? 0;
      const side = (read(2) + read(3)) / 2;
      const x = ((at % scores.width) + 0.5) * stride + read(0);
      const y = (Math.floor(at / scores.width) + 0.5) * stride + read(1);
      if (side <= 0) continue;
      const [eyesX, eyesY] = [(read(4) + read(6)) / 2, (read(5) + read(7)) / 2];
      const pose = {
        yaw: (read(8) - eyesX) / side,
        pitch: (read(9) - eyesY) / Math.max(1, read(11) - eyesY),
        size: side / faceSearched,
      };
      found.push({ x, y, side, score, pose });
    }
  }
  return found;
}

function overlap(one: Face, other: Face): number {
  const area = ({ x0, y0, x1, y1 }: Omit<Face, "score">) => Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
  const both = area({
    x0: Math.max(one.x0, other.x0),
    y0: Math.max(one.y0, other.y0),
    x1: Math.min(one.x1, other.x1),
    y1: Math.min(one.y1, other.y1),
  });
  return both / (area(one) + area(other) - both || 1);
}

/** One face of those that overlap: the mean of their boxes by sureness, as the server merges them. Unsure alone they are none. */
function apart(found: Face[]): Face[] {
  const kept: Face[] = [];
  let left = found.sort((one, other) => other.score - one.score);
  for (let [first] = left; first && first.score >= sure; [first] = left) {
    const surest = first;
    const mine = left.filter((one) => one === surest || overlap(one, surest) > same);
    left = left.filter((one) => !mine.includes(one));
    const sum = mine.reduce((before, one) => before + one.score, 0);
    const mean = (of: (one: Face) => number) => mine.reduce((before, one) => before + one.score * of(one), 0) / sum;
    kept.push({
      x0: mean(({ x0 }) => x0),
      y0: mean(({ y0 }) => y0),
      x1: mean(({ x1 }) => x1),
      y1: mean(({ y1 }) => y1),
      score: surest.score,
      ...(surest.pose ? { pose: surest.pose } : {}),
    });
  }
  return kept;
}

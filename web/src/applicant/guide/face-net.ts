// A face detector small enough for a phone, in plain TypeScript: the server's own network (models/cards/face-detect.json, of
// the kind UltraFace RFB) with its weights in eight bits, on a picture of 160 pixels. scripts/face-net.mjs makes the weights.

/** Planes of numbers, one after the other, each row by row. */
type Planes = { channels: number; width: number; height: number; data: Float32Array };
/** A face: the box's left, upper, right and lower bound as parts (0–1) of the picture, and how sure the network is (0–1). */
export type Face = { x0: number; y0: number; x1: number; y1: number; score: number };

/** The longer side of the picture that is searched. */
export const faceSearched = 160;
const sure = 0.7;
const same = 0.3; // of two boxes that overlap by more, the surer is the face
/** The sizes of face, in pixels, that are looked for at each place of a scale. */
const scales = [
  [10, 16, 24],
  [32, 48],
  [64, 96],
  [128, 192, 256],
] as const;

type Shape = { kernel?: 1 | 3; stride?: 1 | 2; spread?: number; deep?: boolean; relu?: boolean };

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

  /** Finds faces in the four-channel pixels that a canvas gives, the surest first. */
  find(pixels: Uint8ClampedArray, width: number, height: number): Face[] {
    [this.#float, this.#byte] = [0, 0];
    return apart(this.#look(planesOf(pixels, width, height), width, height));
  }

  #look(input: Planes, width: number, height: number): Face[] {
    let now = this.#layer(input, 16, { kernel: 3, stride: 2 });
    now = this.#pair(now, 32);
    now = this.#pair(now, 32, 2);
    now = this.#pair(now, 32);
    now = this.#pair(now, 64, 2);
    now = this.#pair(now, 64);
    now = this.#pair(now, 64);
    now = this.#wide(now);
    const found: Face[] = [];
    const read = (scale: number, scores: Planes, boxes: Planes) => faces(found, scale, scores, boxes, width, height);
    read(0, this.#head(now, 6), this.#head(now, 12));
    now = this.#pair(this.#pair(this.#pair(now, 128, 2), 128), 128);
    read(1, this.#head(now, 4), this.#head(now, 8));
    now = this.#pair(this.#pair(now, 256, 2), 256);
    read(2, this.#head(now, 4), this.#head(now, 8));
    now = this.#layer(this.#layer(this.#layer(now, 64), 64, { kernel: 3, stride: 2, deep: true }), 256);
    read(3, this.#layer(now, 6, { kernel: 3, relu: false }), this.#layer(now, 12, { kernel: 3, relu: false }));
    return found;
  }

  /** Each plane by itself, then all planes of each place. */
  #pair(input: Planes, channels: number, stride: 1 | 2 = 1): Planes {
    return this.#layer(this.#layer(input, input.channels, { kernel: 3, stride, deep: true }), channels);
  }

  #head(input: Planes, channels: number): Planes {
    return this.#layer(this.#layer(input, input.channels, { kernel: 3, deep: true }), channels, { relu: false });
  }

  /** Looks at places near and far at once, beside what it was given. */
  #wide(input: Planes): Planes {
    const begin = () => this.#layer(input, 8, { relu: false });
    const end = (from: Planes, spread: number) => this.#layer(from, 16, { kernel: 3, spread, relu: false });
    const near = end(this.#layer(begin(), 16, { kernel: 3 }), 2);
    const middle = end(this.#layer(begin(), 16, { kernel: 3 }), 3);
    const far = end(this.#layer(this.#layer(begin(), 12, { kernel: 3 }), 16, { kernel: 3 }), 5);
    const sum = this.#layer(joined([near, middle, far]), 64, { relu: false });
    const straight = this.#layer(input, 64, { relu: false });
    for (let i = 0; i < sum.data.length; i++) {
      sum.data[i] = Math.max(0, (sum.data[i] ?? 0) + (straight.data[i] ?? 0));
    }
    return sum;
  }

  /** One convolution with the next weights; `deep` keeps to each plane, `spread` is the distance of the places that are read. */
  #layer(input: Planes, channels: number, shape: Shape = {}): Planes {
    const { kernel = 1, stride = 1, spread = 1, deep = false, relu = true } = shape;
    const width = Math.ceil(input.width / stride);
    const height = Math.ceil(input.height / stride);
    const out = { channels, width, height, data: new Float32Array(channels * width * height) };
    const factors = this.#floats.subarray(this.#float, this.#float + channels);
    const biases = this.#floats.subarray(this.#float + channels, this.#float + 2 * channels);
    this.#float += 2 * channels;
    const reach = kernel === 3 ? spread : 0;
    for (let o = 0; o < channels; o++) {
      const plane = out.data.subarray(o * width * height, (o + 1) * width * height).fill(biases[o] ?? 0);
      for (let i = deep ? o : 0; i < (deep ? o + 1 : input.channels); i++) {
        const from = input.data.subarray(i * input.width * input.height, (i + 1) * input.width * input.height);
        for (let y = -reach; y <= reach; y += spread) {
          for (let x = -reach; x <= reach; x += spread) {
            const weight = (this.#bytes[this.#byte++] ?? 0) * (factors[o] ?? 0);
            if (weight !== 0) add(plane, out, from, input, { weight, x, y, stride });
          }
        }
      }
      if (relu) for (let i = 0; i < plane.length; i++) if ((plane[i] ?? 0) < 0) plane[i] = 0;
    }
    return out;
  }
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

function planesOf(pixels: Uint8ClampedArray, width: number, height: number): Planes {
  const data = new Float32Array(3 * width * height);
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < width * height; i++) data[c * width * height + i] = ((pixels[4 * i + c] ?? 0) - 127) / 128;
  }
  return { channels: 3, width, height, data };
}

function joined(parts: Planes[]): Planes {
  const [{ width, height }] = [parts[0] ?? { width: 0, height: 0 }];
  const channels = parts.reduce((sum, one) => sum + one.channels, 0);
  const data = new Float32Array(channels * width * height);
  let at = 0;
  for (const one of parts) {
    data.set(one.data, at);
    at += one.data.length;
  }
  return { channels, width, height, data };
}

/** Reads one scale: for each place and size the scores of nothing and of a face, and the offset of the box. */
function faces(found: Face[], scale: number, scores: Planes, boxes: Planes, width: number, height: number): void {
  const sizes = scales[scale] ?? [];
  const plane = scores.width * scores.height;
  for (let at = 0; at < plane; at++) {
    for (const [k, size] of sizes.entries()) {
      const read = (from: Planes, c: number) => from.data[c * plane + at] ?? 0;
      const score = 1 / (1 + Math.exp(read(scores, 2 * k) - read(scores, 2 * k + 1)));
      if (score < sure) continue;
      const x = (((at % scores.width) + 0.5) / scores.width) * width + 0.1 * size * read(boxes, 4 * k);
      const y = ((Math.floor(at / scores.width) + 0.5) / scores.height) * height + 0.1 * size * read(boxes, 4 * k + 1);
      const w = size * Math.exp(0.2 * read(boxes, 4 * k + 2));
      const h = size * Math.exp(0.2 * read(boxes, 4 * k + 3));
      found.push({
        x0: (x - w / 2) / width,
        y0: (y - h / 2) / height,
        x1: (x + w / 2) / width,
        y1: (y + h / 2) / height,
        score,
      });
    }
  }
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

/** The surest of those that overlap. */
function apart(found: Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of found.sort((one, other) => other.score - one.score)) {
    if (!kept.some((one) => overlap(one, face) > same)) kept.push(face);
  }
  return kept;
}

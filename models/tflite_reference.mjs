// Evaluates the TensorFlow Lite networks of the cards by their definition, number by number, on a drawn face, and writes what they answer:
// what the rewritten networks (tflite.mjs) and the browser's kernel are held to in tests.
// Usage, after `make pack`: node tflite_reference.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { sourceOf, tfliteOf } from './pack.mjs'
import { paddingOf, read, shapeOf } from './tflite.mjs'

/** Ovals on a square of 1 024 units: centre, half axes, colour. internal/face and web/test draw the same. */
const ovals = [
  [512, 1100, 460, 330, 60, 70, 110],
  [512, 470, 250, 330, 70, 50, 40],
  [512, 520, 215, 290, 205, 160, 135],
  [425, 455, 40, 20, 245, 245, 240],
  [599, 455, 40, 20, 245, 245, 240],
  [425, 455, 18, 18, 40, 30, 30],
  [599, 455, 18, 18, 40, 30, 30],
  [425, 405, 60, 10, 80, 55, 45],
  [599, 405, 60, 10, 80, 55, 45],
  [512, 570, 30, 45, 180, 130, 110],
  [512, 675, 85, 24, 160, 75, 75],
]

/** The drawn face, side×side, as red, green and blue bytes. */
export function drawn(side) {
  const out = new Uint8Array(3 * side * side)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [u, v] = [Math.floor(((2 * x + 1) * 512) / side), Math.floor(((2 * y + 1) * 512) / side)]
      let colour = [120, 140, 170]
      for (const [cx, cy, rx, ry, ...own] of ovals) {
        if ((u - cx) ** 2 * ry ** 2 + (v - cy) ** 2 * rx ** 2 < rx ** 2 * ry ** 2) colour = own
      }
      out.set(colour, 3 * (y * side + x))
    }
  }
  return out
}

/** Evaluates a network on one picture, rows first and channels last, as the file has it. Returns its outputs by name. */
export function evaluate(tflite, picture) {
  const { tensors, ops, inputs, outputs } = read(tflite)
  const at = new Map([[inputs[0], picture]])
  const values = (i) => at.get(i) ?? tensors[i].values
  for (const op of ops) {
    const [x, w, b] = op.inputs
    const [to] = op.outputs
    at.set(to, steps[op.name](op, tensors, values(x), w === undefined ? [] : values(w), b === undefined ? [] : values(b)))
  }
  return Object.fromEntries(outputs.map((i) => [tensors[i].name, at.get(i)]))
}

/** Calls with each place of the output and each place of the input that its kernel covers, and with the place in the kernel. */
function* places(op, from, to, kernel) {
  const shape = shapeOf(op)
  const [top, left] = paddingOf(shape, kernel, from, to)
  for (let y = 0; y < to[1]; y++) {
    for (let x = 0; x < to[2]; x++) {
      const covered = []
      for (let j = 0; j < kernel[0]; j++) {
        for (let i = 0; i < kernel[1]; i++) {
          const [v, u] = [y * shape.strides[0] + j - top, x * shape.strides[1] + i - left]
          if (v >= 0 && v < from[1] && u >= 0 && u < from[2]) covered.push([v * from[2] + u, j * kernel[1] + i])
        }
      }
      yield [y * to[2] + x, covered]
    }
  }
}

const steps = {
  CONV_2D(op, tensors, x, w, b) {
    const [from, to] = [tensors[op.inputs[0]].shape, tensors[op.outputs[0]].shape]
    const [count, height, width, depth] = tensors[op.inputs[1]].shape
    const out = new Float32Array(to[1] * to[2] * count)
    for (const [at, covered] of places(op, from, to, [height, width])) {
      for (let o = 0; o < count; o++) {
        let sum = b[o]
        for (const [p, k] of covered) {
          for (let c = 0; c < depth; c++) sum += x[p * depth + c] * w[(o * height * width + k) * depth + c]
        }
        out[at * count + o] = sum
      }
    }
    return out
  },
  DEPTHWISE_CONV_2D(op, tensors, x, w, b) {
    const [from, to] = [tensors[op.inputs[0]].shape, tensors[op.outputs[0]].shape]
    const [, height, width, depth] = tensors[op.inputs[1]].shape
    const out = new Float32Array(to[1] * to[2] * depth)
    for (const [at, covered] of places(op, from, to, [height, width])) {
      for (let c = 0; c < depth; c++) {
        let sum = b[c]
        for (const [p, k] of covered) sum += x[p * depth + c] * w[k * depth + c]
        out[at * depth + c] = sum
      }
    }
    return out
  },
  MAX_POOL_2D(op, tensors, x) {
    const [from, to] = [tensors[op.inputs[0]].shape, tensors[op.outputs[0]].shape]
    const depth = from[3]
    const out = new Float32Array(to[1] * to[2] * depth)
    for (const [at, covered] of places(op, from, to, shapeOf(op).kernel)) {
      for (let c = 0; c < depth; c++) out[at * depth + c] = Math.max(...covered.map(([p]) => x[p * depth + c]))
    }
    return out
  },
  PAD(op, tensors, x) {
    const [depth, more] = [tensors[op.inputs[0]].shape[3], tensors[op.outputs[0]].shape[3]]
    const sizes = tensors[op.inputs[1]].values
    if (sizes.some((size, i) => size !== 0 && i !== 7)) throw new Error('PAD: only more channels are known here')
    const out = new Float32Array((x.length / depth) * more)
    for (let i = 0; i < x.length; i++) out[Math.floor(i / depth) * more + (i % depth)] = x[i]
    return out
  },
  ADD: (_op, _tensors, x, y) => x.map((v, i) => v + y[i]),
  RELU: (_op, _tensors, x) => x.map((v) => Math.max(0, v)),
  PRELU: (_op, _tensors, x, slope) => x.map((v, i) => (v < 0 ? v * slope[i % slope.length] : v)),
  RESHAPE: (_op, _tensors, x) => x,
  CONCATENATION: (_op, _tensors, x, y) => Float32Array.from([...x, ...y]),
}

const round = (values) => Array.from(values, (v) => Math.round(v * 100) / 100)

function main() {
  const networks = [['face-detect', 128, (v) => v / 127.5 - 1], ['face-mesh', 192, (v) => v / 255]]
  const out = networks.map(([name, side, scaled]) => {
    const card = JSON.parse(readFileSync(new URL(`cards/${name}.json`, import.meta.url), 'utf8'))
    const answers = evaluate(tfliteOf(card, readFileSync(sourceOf(card))), Float32Array.from(drawn(side), scaled))
    // Of long outputs every seventh number will do.
    const outputs = Object.entries(answers).map(([key, values]) => {
      const step = values.length > 2000 ? 7 : 1
      return { name: key, length: values.length, step, values: round(values.filter((_, i) => i % step === 0)) }
    })
    return { model: name, sha256: card.sha256, side, outputs }
  })
  writeFileSync(new URL('../internal/face/testdata/reference.json', import.meta.url), `${JSON.stringify(out)}\n`)
}

if (process.argv[1]?.endsWith('tflite_reference.mjs')) main()

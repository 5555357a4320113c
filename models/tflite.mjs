// Rewrites a TensorFlow Lite network of convolutions as ONNX, which is what the program's runtime reads. It knows the operators of the
// networks that the cards name, and refuses any other. Same bytes in, same bytes out: the card holds the digests of both.
import { bytes, integer, message } from './protobuf.mjs'

/** A TensorFlow Lite file is a FlatBuffer: tables whose fields are found through offsets, little-endian. */
class Table {
  constructor(bytes, at) {
    this.bytes = bytes
    this.at = at
    this.fields = at - bytes.readInt32LE(at)
  }

  /** Where a field is; 0 where the file leaves it out. */
  place(field) {
    const slot = 4 + 2 * field
    const offset = slot < this.bytes.readUInt16LE(this.fields) ? this.bytes.readUInt16LE(this.fields + slot) : 0
    return offset && this.at + offset
  }

  byte(field, missing = 0) {
    const at = this.place(field)
    return at ? this.bytes.readInt8(at) : missing
  }

  int(field, missing = 0) {
    const at = this.place(field)
    return at ? this.bytes.readInt32LE(at) : missing
  }

  table(field) {
    const at = this.place(field)
    return at ? new Table(this.bytes, at + this.bytes.readUInt32LE(at)) : undefined
  }

  /** The bytes of a vector whose elements have that size. */
  vector(field, size) {
    const at = this.place(field)
    if (!at) return Buffer.alloc(0)
    const from = at + this.bytes.readUInt32LE(at)
    return this.bytes.subarray(from + 4, from + 4 + size * this.bytes.readUInt32LE(from))
  }

  text(field) {
    return this.vector(field, 1).toString('utf8')
  }

  ints(field) {
    const bytes = this.vector(field, 4)
    return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i))
  }

  tables(field) {
    const at = this.place(field)
    if (!at) return []
    const from = at + this.bytes.readUInt32LE(at) + 4
    return Array.from({ length: this.bytes.readUInt32LE(from - 4) }, (_, i) => {
      const entry = from + 4 * i
      return new Table(this.bytes, entry + this.bytes.readUInt32LE(entry))
    })
  }
}

const operators = new Map(
  Object.entries({
    0: 'ADD', 2: 'CONCATENATION', 3: 'CONV_2D', 4: 'DEPTHWISE_CONV_2D', 6: 'DEQUANTIZE', 17: 'MAX_POOL_2D', 19: 'RELU', 22: 'RESHAPE',
    34: 'PAD', 54: 'PRELU',
  }),
)

/** Reads a network: its tensors (shape, and values where they are constant), its operators in order, its inputs and outputs. */
export function read(bytes) {
  if (bytes.toString('latin1', 4, 8) !== 'TFL3') throw new Error('not a TensorFlow Lite file')
  const model = new Table(bytes, bytes.readUInt32LE(0))
  const names = model.tables(1).map((t) => {
    const code = Math.max(t.byte(0), t.int(3))
    const name = operators.get(String(code))
    if (!name) throw new Error(`operator ${code} is not known here`)
    return name
  })
  const buffers = model.tables(4).map((t) => t.vector(0, 1))
  const [graph] = model.tables(2)
  const tensors = graph.tables(0).map((t) => {
    const data = buffers[t.int(2)]
    return { name: t.text(3), shape: t.ints(0), values: data.length > 0 ? numbers(data, t.byte(1)) : undefined }
  })
  const ops = graph.tables(3).map((t) => ({ name: names[t.int(0)], inputs: t.ints(1), outputs: t.ints(2), options: t.table(4) }))
  for (const op of ops) {
    // Weights of 16 bits are made numbers here, once.
    if (op.name === 'DEQUANTIZE') tensors[op.outputs[0]].values = tensors[op.inputs[0]].values
  }
  return { tensors, ops: ops.filter((op) => op.name !== 'DEQUANTIZE'), inputs: graph.ints(1), outputs: graph.ints(2) }
}

function numbers(bytes, type) {
  switch (type) {
    case 0:
      return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
    case 1:
      return Array.from({ length: bytes.length / 2 }, (_, i) => half(bytes.readUInt16LE(2 * i)))
    case 2:
      return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i))
    default:
      throw new Error(`numbers of type ${type} are not known here`)
  }
}

function half(bits) {
  const sign = bits >> 15 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24)
}

/** The fields of an operator's options. A padding of SAME keeps the size (over the stride), more of it below and on the right. */
export function shapeOf(op) {
  const { options: o } = op
  const deep = op.name === 'DEPTHWISE_CONV_2D'
  const pool = op.name === 'MAX_POOL_2D'
  const activation = o.byte(deep ? 4 : pool ? 5 : 3)
  if (activation !== 0) throw new Error(`${op.name}: activation ${activation} is not known here`)
  if (!pool && (o.int(deep ? 5 : 4, 1) !== 1 || o.int(deep ? 6 : 5, 1) !== 1)) throw new Error(`${op.name}: it is dilated`)
  return { same: o.byte(0) === 0, strides: [o.int(2, 1), o.int(1, 1)], kernel: pool ? [o.int(4, 1), o.int(3, 1)] : undefined }
}

/** How much is added above, left, below and right of a picture. */
export function paddingOf({ same, strides }, kernel, from, to) {
  if (!same) return [0, 0, 0, 0]
  const all = [0, 1].map((i) => Math.max((to[i + 1] - 1) * strides[i] + kernel[i] - from[i + 1], 0))
  return [all[0] >> 1, all[1] >> 1, all[0] - (all[0] >> 1), all[1] - (all[1] >> 1)]
}

/**
 * Returns the network as ONNX (operator set 13). Inputs and outputs keep their names and their order of numbers. With anySize it takes
 * pictures of every size that its strides divide, and answers for as many places as they have: right for networks of convolutions only.
 */
export function onnxOf(tflite, { anySize = false } = {}) {
  const { tensors, ops, inputs, outputs } = read(tflite)
  const nodes = []
  const constants = []
  let count = 0
  const node = (type, from, to, attributes = {}) => {
    const parts = [...from.map((name) => bytes(1, name)), bytes(2, to), bytes(3, `${type}_${count++}`), bytes(4, type)]
    for (const [name, value] of Object.entries(attributes)) {
      const list = Array.isArray(value)
      const values = list ? value.map((v) => integer(8, v)) : [integer(3, value)]
      parts.push(message(5, [bytes(1, name), ...values, integer(20, list ? 7 : 2)]))
    }
    nodes.push(message(1, parts))
  }
  const constant = (kind, dims, values) => {
    const name = `${kind}_${constants.length}`
    const data = kind === 'size' ? new BigInt64Array(values.map(BigInt)) : new Float32Array(values)
    const parts = [...dims.map((d) => integer(1, d)), integer(2, kind === 'size' ? 7 : 1), bytes(8, name), bytes(9, Buffer.from(data.buffer))]
    constants.push(message(5, parts))
    return name
  }
  const free = (axis, rank) => anySize && axis > 0 && axis < rank - 1
  const info = (field, i) => {
    const { name, shape } = tensors[i]
    const dims = shape.map((size, axis) => message(1, [free(axis, shape.length) ? bytes(2, `${name}_${axis}`) : integer(1, size)]))
    return message(field, [bytes(1, name), message(2, [message(1, [integer(1, 1), message(2, dims)])])])
  }

  // Inside, channels come before rows, as ONNX wants pictures.
  const inside = (i) => `at_${i}`
  for (const i of inputs) node('Transpose', [tensors[i].name], inside(i), { perm: [0, 3, 1, 2] })
  const convolution = (op) => {
    const [x, w, b] = op.inputs
    const [from, to] = [tensors[x].shape, tensors[op.outputs[0]].shape]
    const deep = op.name === 'DEPTHWISE_CONV_2D'
    const [n, height, width, depth] = tensors[w].shape
    const shape = deep ? [depth, 1, height, width] : [n, depth, height, width]
    const weights = []
    for (let o = 0; o < shape[0]; o++) {
      for (let c = 0; c < shape[1]; c++) {
        for (let k = 0; k < height * width; k++) {
          weights.push(tensors[w].values[deep ? k * depth + o : (o * height * width + k) * depth + c])
        }
      }
    }
    const options = shapeOf(op)
    node('Conv', [inside(x), constant('weight', shape, weights), constant('bias', [shape[0]], tensors[b].values)], inside(op.outputs[0]), {
      strides: options.strides, pads: paddingOf(options, [height, width], from, to), group: deep ? from[3] : 1,
      kernel_shape: [height, width],
    })
  }
  const write = {
    CONV_2D: convolution,
    DEPTHWISE_CONV_2D: convolution,
    ADD: (op) => node('Add', op.inputs.map(inside), inside(op.outputs[0])),
    RELU: (op) => node('Relu', op.inputs.map(inside), inside(op.outputs[0])),
    PRELU: ({ inputs: [x, slope], outputs: [to] }) => {
      const { values } = tensors[slope]
      node('PRelu', [inside(x), constant('slope', [values.length, 1, 1], values)], inside(to))
    },
    MAX_POOL_2D: (op) => {
      const options = shapeOf(op)
      const pads = paddingOf(options, options.kernel, tensors[op.inputs[0]].shape, tensors[op.outputs[0]].shape)
      node('MaxPool', [inside(op.inputs[0])], inside(op.outputs[0]), { strides: options.strides, pads, kernel_shape: options.kernel })
    },
    PAD: ({ inputs: [x, sizes], outputs: [to] }) => {
      const pads = [0, 3, 1, 2].flatMap((axis) => tensors[sizes].values[2 * axis])
      const ends = [0, 3, 1, 2].flatMap((axis) => tensors[sizes].values[2 * axis + 1])
      node('Pad', [inside(x), constant('size', [8], [...pads, ...ends])], inside(to))
    },
    // From here on numbers are in the order of the file.
    RESHAPE: ({ inputs: [x], outputs: [to] }) => {
      node('Transpose', [inside(x)], `${inside(to)}_rows`, { perm: [0, 2, 3, 1] })
      const shape = tensors[to].shape.map((size, axis, all) => (free(axis, all.length) ? -1 : size))
      node('Reshape', [`${inside(to)}_rows`, constant('size', [shape.length], shape)], inside(to))
    },
    CONCATENATION: (op) => node('Concat', op.inputs.map(inside), inside(op.outputs[0]), { axis: op.options.int(0) }),
  }
  for (const op of ops) write[op.name](op)
  for (const i of outputs) {
    const picture = tensors[i].shape.length === 4
    node(picture ? 'Transpose' : 'Identity', [inside(i)], tensors[i].name, picture ? { perm: [0, 2, 3, 1] } : {})
  }
  const graph = [...nodes, bytes(2, 'network'), ...constants, ...inputs.map((i) => info(11, i)), ...outputs.map((i) => info(12, i))]
  return Buffer.concat([integer(1, 7), bytes(2, 'models/tflite.mjs'), message(7, graph), message(8, [integer(2, 13)])])
}

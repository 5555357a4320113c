// Rewrites an ONNX network so that it answers the same, but for rounding, in less time: scales and shifts become part of the convolution beside
// them, and what keeps the runtime from storing channels in blocks is written with operators that it has for blocks.
// Same bytes in, same bytes out: the card holds the digests of both.
import { read, write } from './onnx.mjs'

/** A network, and the questions that the rules ask of it. */
class Network {
  constructor(file) {
    Object.assign(this, read(file))
  }

  producer(name) {
    return this.nodes.find((n) => n.outputs[0] === name)
  }

  users(name) {
    return this.nodes.filter((n) => n.inputs.includes(name))
  }

  /** The only node that uses a value; undefined where there are more, and for what the network answers. */
  onlyUser(name) {
    const users = this.users(name)
    return users.length === 1 && !this.outputs.includes(name) ? users[0] : undefined
  }

  /** The sizes and numbers of a constant; undefined for anything else. */
  constant(name) {
    const c = this.constants.get(name)
    return c?.data && c
  }

  /** Whether a value is that number. */
  is(name, number) {
    const c = this.constant(name)
    return c?.data.length === 1 && Math.abs(c.data[0] - number) < 1e-6
  }

  /** The constant of a node that takes one and another value, and the other's name. */
  operands({ inputs }) {
    const at = inputs.findIndex((v) => this.constant(v))
    return inputs.length === 2 && at >= 0 ? { constant: this.constant(inputs[at]), other: inputs[1 - at] } : undefined
  }

  /** Adds a constant and returns its name. */
  add(dims, data) {
    const name = `fused_${this.constants.size}`
    this.constants.set(name, { dims, data: Float32Array.from(data) })
    return name
  }

  replace(old, ...nodes) {
    this.nodes.splice(this.nodes.indexOf(old), 1, ...nodes)
  }

  /** How many channels a value has, which the convolution says that it comes from. */
  channels(name) {
    const { type, inputs } = this.producer(name)
    return type === 'Conv' ? this.constant(inputs[1]).dims[0] : this.channels(inputs.find((v) => !this.constants.has(v)))
  }
}

const product = (list) => list.reduce((a, b) => a * b, 1)
const filled = (count, value) => new Float32Array(count).fill(value)

/** The scale and shift of each channel that a node applies; undefined for a node that does anything else. */
function scaleAndShift(net, node, channels) {
  if (node.type === 'BatchNormalization') {
    const [weight, bias, mean, variance] = node.inputs.slice(1).map((v) => net.constant(v).data)
    const scale = weight.map((w, i) => w / Math.sqrt(variance[i] + node.attributes.epsilon.float))
    return { scale, shift: bias.map((b, i) => b - mean[i] * scale[i]) }
  }
  const constant = (node.type === 'Mul' || node.type === 'Add') && net.operands(node)?.constant
  if (!constant) return undefined
  const { dims, data } = constant
  if (data.length !== 1 && (data.length !== channels || dims.at(-3) !== channels)) return undefined
  const each = data.length === 1 ? filled(channels, data[0]) : data
  return node.type === 'Mul' ? { scale: each, shift: filled(channels, 0) } : { scale: filled(channels, 1), shift: each }
}

/** A convolution and the scales and shifts that follow it are one convolution. */
function joinWhatFollows(net) {
  for (const conv of net.nodes.filter((n) => n.type === 'Conv' || n.type === 'ConvTranspose')) {
    const { dims } = net.constant(conv.inputs[1])
    const axis = conv.type === 'Conv' ? 0 : 1 // of the weights, that counts what comes out
    const [count, inner] = [dims[axis], product(dims.slice(axis + 1))]
    for (;;) {
      const next = net.onlyUser(conv.outputs[0])
      const by = next && scaleAndShift(net, next, count)
      if (!by) break
      const weights = net.constant(conv.inputs[1]).data.map((w, i) => w * by.scale[Math.floor(i / inner) % count])
      const bias = (net.constant(conv.inputs[2])?.data ?? filled(count, 0)).map((b, i) => b * by.scale[i] + by.shift[i])
      conv.inputs = [conv.inputs[0], net.add(dims, weights), net.add([count], bias)]
      conv.outputs = next.outputs
      net.replace(next)
    }
  }
}

/** x · min(max(x + 3, 0), 6) / 6 is x times its hard sigmoid, which the runtime makes part of the convolution before it. */
function nameHardSwish(net) {
  for (const divide of net.nodes.filter((n) => n.type === 'Div' && net.is(n.inputs[1], 6))) {
    const multiply = net.producer(divide.inputs[0])
    const clip = multiply?.inputs.map((v) => net.producer(v)).find((n) => n?.type === 'Clip')
    const add = clip && net.producer(clip.inputs[0])
    const x = multiply?.inputs.find((v) => v !== clip?.outputs[0])
    if (multiply?.type !== 'Mul' || add?.type !== 'Add' || !add.inputs.includes(x) || !add.inputs.some((v) => net.is(v, 3))) continue
    const { min, max } = clip.attributes
    if (!(min ? min.float === 0 && max.float === 6 : net.is(clip.inputs[1], 0) && net.is(clip.inputs[2], 6))) continue
    const open = `${divide.outputs[0]}_open`
    const attributes = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } }
    net.replace(
      divide, { type: 'HardSigmoid', inputs: [x], outputs: [open], attributes },
      { type: 'Mul', inputs: [x, open], outputs: divide.outputs, attributes: {} },
    )
    for (const n of [multiply, clip, add]) net.replace(n)
  }
}

/** x + x · g is x · (g + 1), where g is one number a channel. */
function joinGates(net) {
  for (const add of net.nodes.filter((n) => n.type === 'Add')) {
    const multiply = add.inputs.map((v) => net.producer(v)).find((n) => n?.type === 'Mul' && net.onlyUser(n.outputs[0]) === add)
    const x = add.inputs.find((v) => v !== multiply?.outputs[0])
    const gate = multiply?.inputs.find((v) => v !== x)
    if (!multiply?.inputs.includes(x) || net.producer(gate)?.type !== 'HardSigmoid') continue
    const more = `${gate}_more`
    net.replace(
      multiply, { type: 'Add', inputs: [gate, net.add([1], [1])], outputs: [more], attributes: {} },
      { type: 'Mul', inputs: [x, more], outputs: add.outputs, attributes: {} },
    )
    net.replace(add)
  }
}

const plain = ({ attributes: { pads = [] } }) => pads.every((p) => p === 0)

/**
 * One scale and one shift before convolutions are part of them. Where they pad, what they pad with is not shifted, and a convolution of each
 * channel by itself scales and shifts before them.
 */
function joinWhatPrecedes(net) {
  for (const add of net.nodes.filter((n) => n.type === 'Add')) {
    const shift = net.operands(add)
    const multiply = shift && net.producer(shift.other)
    const scale = multiply?.type === 'Mul' && net.onlyUser(shift.other) === add && net.operands(multiply)
    if (!scale || shift.constant.data.length !== 1 || scale.constant.data.length !== 1) continue
    const [by, and, users] = [scale.constant.data[0], shift.constant.data[0], net.users(add.outputs[0])]
    if (users.every((n) => n.type === 'Conv' && plain(n))) {
      for (const conv of users) {
        const { dims, data } = net.constant(conv.inputs[1])
        const inner = product(dims.slice(1))
        const bias = Float32Array.from(net.constant(conv.inputs[2])?.data ?? filled(dims[0], 0))
        for (const [i, w] of data.entries()) bias[Math.floor(i / inner)] += w * and
        conv.inputs = [scale.other, net.add(dims, data.map((w) => w * by)), net.add([dims[0]], bias)]
      }
      net.replace(add)
    } else {
      const count = net.channels(scale.other)
      const inputs = [scale.other, net.add([count, 1, 1, 1], filled(count, by)), net.add([count], filled(count, and))]
      net.replace(add, { type: 'Conv', inputs, outputs: add.outputs, attributes: { group: count, kernel_shape: [1, 1] } })
    }
    net.replace(multiply)
  }
}

/** Replaces a transposed convolution whose squares do not overlap: a convolution of single pixels, whose channels become the square. */
function layOutSquares(net) {
  for (const conv of net.nodes.filter((n) => n.type === 'ConvTranspose' && plain(n) && (n.attributes.group ?? 1) === 1)) {
    const { dims: [from, to, height, width], data } = net.constant(conv.inputs[1])
    const { strides } = conv.attributes
    if (height !== width || strides[0] !== height || strides[1] !== width) continue
    const places = height * width
    const weights = new Float32Array(data.length)
    for (const [i, w] of data.entries()) {
      const [c, o, place] = [Math.floor(i / (to * places)), Math.floor(i / places) % to, i % places]
      weights[(place * to + o) * from + c] = w
    }
    const bias = net.constant(conv.inputs[2])?.data ?? filled(to, 0)
    const inputs = [
      conv.inputs[0], net.add([places * to, from, 1, 1], weights),
      net.add([places * to], Float32Array.from({ length: places * to }, (_, i) => bias[i % to])),
    ]
    const small = `${conv.outputs[0]}_small`
    net.replace(
      conv, { type: 'Conv', inputs, outputs: [small], attributes: { kernel_shape: [1, 1] } },
      { type: 'DepthToSpace', inputs: [small], outputs: conv.outputs, attributes: { blocksize: height } },
    )
  }
}

/** Pixels are laid out as squares last: what is done to each pixel is done before, to the channels of all of its square. */
function layOutLast(net) {
  for (let again = true; again; ) {
    again = false
    for (const squares of net.nodes.filter((n) => n.type === 'DepthToSpace')) {
      const next = net.onlyUser(squares.outputs[0])
      const single = next?.type === 'Conv' && product(net.constant(next.inputs[1]).dims.slice(2)) === 1
      if (!single && next?.type !== 'Relu' && next?.type !== 'Sigmoid') continue
      const moved = { ...next, inputs: [squares.inputs[0], ...next.inputs.slice(1)], outputs: [`${next.outputs[0]}_small`] }
      if (single) {
        const { dims: [to, from], data } = net.constant(next.inputs[1])
        const places = squares.attributes.blocksize ** 2
        const weights = filled(places * to * places * from, 0)
        for (let p = 0; p < places; p++) {
          for (const [i, w] of data.entries()) weights[(p * to + Math.floor(i / from)) * places * from + p * from + (i % from)] = w
        }
        const bias = net.constant(next.inputs[2]).data
        moved.inputs[1] = net.add([places * to, places * from, 1, 1], weights)
        moved.inputs[2] = net.add([places * to], Float32Array.from({ length: places * to }, (_, i) => bias[i % to]))
      }
      net.replace(next, { ...squares, inputs: moved.outputs, outputs: next.outputs })
      net.replace(squares, moved)
      again = true
    }
  }
}

/** Returns the network rewritten. */
export function fused(file) {
  const net = new Network(file)
  for (const rule of [joinWhatFollows, nameHardSwish, joinGates, joinWhatPrecedes, layOutSquares, layOutLast]) rule(net)
  return write(net)
}

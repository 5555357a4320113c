// Reads and writes networks as ONNX has them, as far as one graph and constants of 32-bit floats go (ONNX IR specification, onnx.proto).
import { bytes, fields, float, integer, message, numbers, values } from './protobuf.mjs'

const FLOAT = 1
const text = (message, field) => values(message, field)[0]?.toString('utf8') ?? ''
const integers = (message, field) => values(message, field).flatMap((v) => (typeof v === 'bigint' ? [Number(v)] : numbers(v)))

/** A constant: its sizes, and its numbers where they are 32-bit floats. Any other stays the message it was. */
function constantOf(tensor) {
  const dims = integers(tensor, 1)
  if (integers(tensor, 2)[0] !== FLOAT) return { dims, tensor }
  const raw = values(tensor, 9)[0] ?? Buffer.concat(values(tensor, 4))
  const data = Float32Array.from({ length: raw.length / 4 }, (_, i) => raw.readFloatLE(4 * i))
  if (data.length !== dims.reduce((a, b) => a * b, 1)) throw new Error(`a constant of ${dims.join(' x ')} has ${data.length} numbers`)
  return { dims, data }
}

/** An attribute's value: a number, a text or a list of integers. Any other stays the message it was. */
function valueOf(attribute) {
  switch (integers(attribute, 20)[0]) {
    case 1:
      return { float: values(attribute, 2)[0].readFloatLE(0) }
    case 2:
      return integers(attribute, 3)[0] ?? 0
    case 3:
      return text(attribute, 4)
    case 7:
      return integers(attribute, 8)
    default:
      return { attribute }
  }
}

function nodeOf(node) {
  const attributes = Object.fromEntries(values(node, 5).map((a) => [text(a, 1), valueOf(a)]))
  const names = (field) => values(node, field).map((v) => v.toString('utf8'))
  return { type: text(node, 4), inputs: names(1), outputs: names(2), attributes }
}

/**
 * Reads a network: its nodes in the order in which they are evaluated, its constants by name (those that nodes state, too), the names of
 * its outputs, and what is written again as it was read.
 */
export function read(file) {
  const parts = fields(file)
  const [, graph] = parts.find(([n]) => n === 7)
  const constants = new Map(values(graph, 5).map((t) => [text(t, 8), constantOf(t)]))
  const nodes = []
  for (const node of values(graph, 1).map(nodeOf)) {
    if (node.type === 'Constant') constants.set(node.outputs[0], constantOf(values(node.attributes.value.attribute, 5)[0]))
    else nodes.push(node)
  }
  const ends = fields(graph).filter(([n]) => n === 11 || n === 12)
  const outputs = values(graph, 12).map((o) => text(o, 1))
  return { nodes, constants, outputs, ends, head: parts.filter(([n]) => n !== 7) }
}

const field = ([n, value]) => (typeof value === 'bigint' ? integer(n, value) : bytes(n, value))

function attributeOf([name, value]) {
  if (value.attribute) return bytes(5, value.attribute)
  const is = (type, ...parts) => message(5, [bytes(1, name), ...parts, integer(20, type)])
  if (Array.isArray(value)) return is(7, ...value.map((v) => integer(8, v)))
  if (typeof value === 'string') return is(3, bytes(4, value))
  return typeof value === 'number' ? is(2, integer(3, value)) : is(1, float(2, value.float))
}

function tensorOf([name, { dims, data, tensor }]) {
  const parts = tensor
    ? fields(tensor).filter(([n]) => n !== 8).map(field)
    : [...dims.map((d) => integer(1, d)), integer(2, FLOAT), bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength))]
  return message(5, [...parts, bytes(8, name)])
}

/** Writes a network that read returned. Constants that no node uses are left out. */
export function write({ nodes, constants, ends, head }) {
  const used = new Set(nodes.flatMap((n) => n.inputs))
  const written = nodes.map(({ type, inputs, outputs, attributes }, i) =>
    message(1, [
      ...inputs.map((v) => bytes(1, v)), ...outputs.map((v) => bytes(2, v)), bytes(3, `${type}_${i}`), bytes(4, type),
      ...Object.entries(attributes).map(attributeOf),
    ]),
  )
  const tensors = [...constants].filter(([name]) => used.has(name)).map(tensorOf)
  return Buffer.concat([...head.map(field), message(7, [...written, bytes(2, 'network'), ...tensors, ...ends.map(field)])])
}

// The parts of a protobuf message: a key of field and kind, then a number, four bytes, or so many bytes.

const varint = (value) => {
  const out = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    out.push(Number(rest & 127n) | (rest > 127n ? 128 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(out)
}

export const integer = (field, value) => Buffer.concat([varint(field << 3), varint(value)])

export const float = (field, value) => {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return Buffer.concat([varint((field << 3) | 5), data])
}

export const bytes = (field, value) => {
  const data = Buffer.from(value)
  return Buffer.concat([varint((field << 3) | 2), varint(data.length), data])
}

export const message = (field, parts) => bytes(field, Buffer.concat(parts))

/** The number at the start of a message, and how many bytes it takes. */
function number(message) {
  let value = 0n
  for (let i = 0; i < message.length; i++) {
    value |= BigInt(message[i] & 127) << BigInt(7 * i)
    if (message[i] < 128) return [BigInt.asIntN(64, value), i + 1]
  }
  throw new Error('a number breaks off')
}

/** The numbers of a packed list. */
export function numbers(list) {
  const out = []
  for (let at = 0; at < list.length; ) {
    const [value, length] = number(list.subarray(at))
    out.push(Number(value))
    at += length
  }
  return out
}

/** The fields of a message in order, each with its number and its value: a bigint, or the bytes of anything else. */
export function fields(message) {
  const out = []
  let at = 0
  const next = () => {
    const [value, length] = number(message.subarray(at))
    at += length
    return value
  }
  while (at < message.length) {
    const key = Number(next())
    const kind = key & 7
    if (kind === 0) {
      out.push([key >> 3, next()])
      continue
    }
    if (kind !== 2 && kind !== 5) throw new Error(`fields of kind ${kind} are not known here`)
    const length = kind === 5 ? 4 : Number(next())
    out.push([key >> 3, message.subarray(at, at + length)])
    at += length
  }
  return out
}

/** The values of one field of a message. */
export const values = (message, field) => fields(message).flatMap(([n, value]) => (n === field ? [value] : []))

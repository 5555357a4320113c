// Fills models/pack with what the cards name: copies each file out of its package (or out of models/ where it is our
// own), refuses one whose digest is not the card's, and compresses where the card says so.
// Usage, after `npm ci --ignore-scripts` in models/: node pack.mjs
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const pack = join(here, 'pack')
mkdirSync(pack, { recursive: true })

const wanted = new Set(['.gitkeep', '.stamp'])
const problems = []

for (const name of readdirSync(join(here, 'cards')).filter((n) => n.endsWith('.json')).sort()) {
  const card = JSON.parse(readFileSync(join(here, 'cards', name), 'utf8'))
  const packed = card.compressed ? `${card.file}.gz` : card.file
  wanted.add(packed)
  const source = card.package
    ? join(here, 'node_modules', card.package.replace(/@[^@/]+$/, ''), card.source)
    : join(here, card.source)
  if (!existsSync(source)) {
    problems.push(`${card.name}: ${card.source} is missing`)
    continue
  }
  const bytes = readFileSync(source)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== card.sha256) {
    problems.push(`${card.name}: ${card.source} has digest ${digest}, the card says ${card.sha256}`)
    continue
  }
  const target = join(pack, packed)
  const mark = join(pack, `.${packed}.sha256`)
  wanted.add(`.${packed}.sha256`)
  if (existsSync(target) && existsSync(mark) && readFileSync(mark, 'utf8') === digest) continue
  writeFileSync(`${target}.new`, card.compressed ? gzipSync(bytes, { level: 9 }) : bytes)
  renameSync(`${target}.new`, target)
  writeFileSync(mark, digest)
}

for (const name of readdirSync(pack)) {
  if (!wanted.has(name)) rmSync(join(pack, name), { recursive: true })
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gateOf, isBlind } from '../../../plugins/health/analysis/gates.js'
import { WIDTH } from '../../../plugins/health/analysis/index.js'
import { shrunkGrey, shrunkInk, type Grey } from '../../../plugins/health/analysis/picture.js'
import { decode } from '../evaluate.js'
import type { SequenceOptions } from '../scene/plan.js'
import { createSequence, type SceneFrame } from '../scene/sequence.js'

interface Facts { readonly context: SceneFrame['context'], readonly blind: boolean }

/** A frame as far as the analysis looks at it. */
export interface CachedFrame extends Facts { readonly ink: Grey }

interface Head { readonly width: number, readonly height: number, readonly frames: readonly Facts[] }

const nameOf = (options: SequenceOptions): string =>
  Object.entries(options).map(([key, value]) => `${key}-${String(value)}`).sort().join('_')

async function draw (options: SequenceOptions): Promise<Buffer> {
  const sequence = createSequence(options)
  const facts: Facts[] = []
  const inks: Grey[] = []
  for (let index = 0; index < sequence.frames; index++) {
    const { jpeg, context } = await sequence.frame(index)
    const picture = await decode(jpeg)
    inks.push(shrunkInk(picture, WIDTH))
    facts.push({ context, blind: isBlind(gateOf(shrunkGrey(picture, WIDTH))) })
  }
  const { width = 0, height = 0 } = inks[0] ?? {}
  const head = Buffer.from(JSON.stringify({ width, height, frames: facts } satisfies Head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...inks.map(({ data }) => Buffer.from(data))])
}

/** Drawn once and kept in a folder, for drawing takes as long as the analysis. */
async function drawnOnce (folder: string, options: SequenceOptions): Promise<Uint8Array> {
  const file = join(folder, nameOf(options))
  const known = await readFile(file).catch(() => undefined)
  if (known) return known
  await mkdir(folder, { recursive: true })
  const drawn = await draw(options)
  await writeFile(`${file}.${process.pid}`, drawn)
  await rename(`${file}.${process.pid}`, file)
  return drawn
}

/** Frames of a generated print. */
export async function framesOf (folder: string, options: SequenceOptions): Promise<CachedFrame[]> {
  const bytes = Buffer.from(await drawnOnce(folder, options))
  const from = 4 + bytes.readUInt32LE(0)
  const { width, height, frames } = JSON.parse(bytes.subarray(4, from).toString()) as Head
  return frames.map((facts, at) => {
    const begin = from + at * width * height
    return { ...facts, ink: { width, height, data: new Uint8Array(bytes.subarray(begin, begin + width * height)) } }
  })
}

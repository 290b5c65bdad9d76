import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** What PrusaSlicer says of a plate, and what was counted in its lines. */
export interface GcodeFacts {
  readonly layers: number
  /** mm */
  readonly heightMm: number
  /** As the slicer says; 0 if it does not. */
  readonly seconds: number
  readonly filamentMm: number
  readonly filamentCm3: number
  readonly grams: number
}

const CHUNK_BYTES = 128 * 1024
const NOTHING: GcodeFacts = { layers: 0, heightMm: 0, seconds: 0, filamentMm: 0, filamentCm3: 0, grams: 0 }

const UNIT_SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** Seconds of `1d 2h 3m 4s`. */
export const secondsIn = (text: string): number => [...text.matchAll(/(\d+)\s*([dhms])/g)]
  .reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit!]!, 0)

/** Bits of the mask by which a printer knows objects. */
const MOST_MARKED = 64

interface ObjectMarks {
  /** A comment of PrusaSlicer, as the printer's own slicer writes it if it begins or ends an object. */
  marked (comment: string): string
}

const BEGINS = /^; printing object (.*) id:\d+ copy \d+$/
const ENDS = /^; stop printing object (.*) id:\d+ copy \d+$/

/** A mask with one bit, as the command takes it: eight bytes, the lowest first. */
function maskOf (bit: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(1n << BigInt(bit))
  return bytes.toString('base64')
}

/**
 * Translates the marks of objects; more objects than the mask has bits get none, and cannot be skipped.
 * @param ids number of each object by its name, in the order of the bits
 */
function createObjectMarks (ids: ReadonlyMap<string, number>): ObjectMarks {
  const bits = new Map([...ids.keys()].map((name, bit) => [name, bit]))
  const isMarked = ids.size > 1 && ids.size <= MOST_MARKED
  return {
    marked (comment) {
      const begins = BEGINS.exec(comment)?.[1]
      const ends = begins === undefined ? ENDS.exec(comment)?.[1] : undefined
      const name = begins ?? ends
      const id = name === undefined ? undefined : ids.get(name)
      if (name === undefined || id === undefined) return comment
      if (begins === undefined) return isMarked ? `; stop printing object, unique label id: ${id}\nM625` : comment
      const begin = `; OBJECT_ID: ${id}`
      return isMarked ? `${begin}\n; start printing object, unique label id: ${id}\nM624 ${maskOf(bits.get(name)!)}` : begin
    }
  }
}

type Changing = { -readonly [K in keyof GcodeFacts]: GcodeFacts[K] }

/** Takes what a comment says of the whole plate. */
function takeComment (facts: Changing, line: string): void {
  if (line === ';LAYER_CHANGE') facts.layers++
  else if (line.startsWith(';Z:')) facts.heightMm = Math.max(facts.heightMm, Number(line.slice(3)) || 0)
  else if (line.startsWith('; filament used [mm] = ')) facts.filamentMm = Number(line.split('= ')[1]) || 0
  else if (line.startsWith('; filament used [cm3] = ')) facts.filamentCm3 = Number(line.split('= ')[1]) || 0
  else if (line.startsWith('; total filament used [g] = ')) facts.grams = Number(line.split('= ')[1]) || 0
  else if (line.startsWith('; estimated printing time (normal mode) = ')) facts.seconds = secondsIn(line.split('= ')[1]!)
}

/**
 * Copies toolpaths of PrusaSlicer to a file with the marks by which a printer skips objects, and collects what they say
 * of the plate. It works in small pieces, because a plate may have hundreds of megabytes.
 * @param ids number of each object by its name in the toolpaths
 */
export async function copyGcode (from: string, to: string, ids: ReadonlyMap<string, number>, signal: AbortSignal):
Promise<GcodeFacts> {
  const facts: Changing = { ...NOTHING }
  const marks: ObjectMarks = createObjectMarks(ids)
  const copied = (line: string): string => {
    if (!line.startsWith(';')) return line
    takeComment(facts, line)
    return marks.marked(line)
  }
  async function * lines () {
    let rest = ''
    for await (const chunk of createReadStream(from, { encoding: 'latin1', highWaterMark: CHUNK_BYTES })) {
      const found = (rest + (chunk as string)).split('\n')
      rest = found.pop() ?? ''
      yield found.map(copied).concat('').join('\n')
    }
    yield copied(rest)
  }
  await pipeline(Readable.from(lines(), { objectMode: true }), createWriteStream(to, { encoding: 'latin1', mode: 0o600 }),
    { signal })
  return facts
}

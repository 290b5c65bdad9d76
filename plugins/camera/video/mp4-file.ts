import { open } from 'node:fs/promises'
import { ascii, box, fullBox, movie, sampleOf, words } from './mp4-boxes.js'
import { CLOCK_HZ, type AccessUnit, type VideoFormat } from './types.js'

/** A complete MP4 file: players know its length and can seek in it. */
export interface Mp4File {
  /** Adds pictures of the file's format in order, starting with a key picture; one call at a time. */
  add (unit: Pick<AccessUnit, 'key' | 'nalus' | 'time'>): Promise<void>
  /** Writes the tables and closes the file. @returns its duration, ms */
  finish (): Promise<number>
  /** Closes a file that is not finished; it cannot be played. */
  close (): Promise<void>
}

/** A picture in the sample tables. */
export interface Sample {
  readonly key: boolean
  /** Bytes. */
  readonly size: number
  /** 1/90,000 s. */
  readonly duration: number
}

/** Run-length encoding: pairs of count and value. */
function runs (values: readonly number[]): number[] {
  const pairs: number[] = []
  for (const value of values) {
    if (pairs.at(-1) === value) pairs[pairs.length - 2]! += 1
    else pairs.push(1, value)
  }
  return pairs
}

const KIND = box('ftyp', ascii('isom'), words(0x200), ascii('isomiso2avc1mp41'))
const LENGTH_FOLLOWS = 1
const DATA_HEAD_BYTES = 16
const DATA_AT = KIND.length + DATA_HEAD_BYTES

/** The movie box behind the pictures, which are one chunk. */
export function tablesOf (format: VideoFormat, samples: readonly Sample[]): Buffer {
  const durations = runs(samples.map(({ duration }) => duration))
  const keys = samples.flatMap(({ key }, at) => key ? [at + 1] : [])
  return movie(format, {
    duration: samples.reduce((sum, { duration }) => sum + duration, 0),
    tables: [
      fullBox('stts', 0, words(durations.length / 2, ...durations)),
      fullBox('stss', 0, words(keys.length, ...keys)),
      fullBox('stsc', 0, words(1, 1, samples.length, 1)),
      fullBox('stsz', 0, words(0, samples.length, ...samples.map(({ size }) => size))),
      fullBox('stco', 0, words(1, DATA_AT))
    ]
  })
}

/** Of the last picture, as it has no successor. */
const USUAL_DURATION = CLOCK_HZ / 30

/** @param path of a new file */
export async function createMp4File (path: string, format: VideoFormat): Promise<Mp4File> {
  const file = await open(path, 'wx', 0o600)
  const samples: Sample[] = []
  let last: { readonly key: boolean, readonly size: number, readonly time: number } | undefined
  let dataBytes = DATA_HEAD_BYTES

  function settle (duration: number): void {
    if (last === undefined) return
    samples.push({ key: last.key, size: last.size, duration: Math.max(1, Math.round(duration)) })
  }

  await file.write(Buffer.concat([KIND, words(LENGTH_FOLLOWS), ascii('mdat'), words(0, 0)]))
  return {
    async add ({ key, nalus, time }) {
      const bytes = sampleOf(nalus)
      settle(time - (last?.time ?? 0))
      last = { key, size: bytes.length, time }
      dataBytes += bytes.length
      await file.write(bytes)
    },
    async finish () {
      settle(samples.at(-1)?.duration ?? USUAL_DURATION)
      await file.write(tablesOf(format, samples))
      await file.write(words(Math.floor(dataBytes / 2 ** 32), dataBytes), 0, 8, KIND.length + 8)
      await file.sync()
      await file.close()
      return Math.round(samples.reduce((sum, { duration }) => sum + duration, 0) * 1_000 / CLOCK_HZ)
    },
    close: () => file.close()
  }
}

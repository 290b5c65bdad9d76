import { closeSync, openSync, writeSync, writevSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MessagePort } from 'node:worker_threads'
import { createInflateRaw } from 'node:zlib'
import { createFinder } from '../findings/finder.js'
import type { Target } from '../findings/types.js'
import { Pass } from '../pass.js'
import type { Get } from '../read/declared.js'
import { Scanner } from '../read/scanner.js'
import { Settings } from '../read/settings.js'
import type { Reading } from '../reading.js'
import { pieces, type ReaderMessage } from './pieces.js'

/** A plate to read, for the thread that does it. */
export interface ReadTask {
  readonly kind: 'plate'
  /** Gives the bytes of the file. */
  readonly port: MessagePort
  readonly isDeflated: boolean
  /** Bytes of the text, as the archive or the listing says. */
  readonly size: number
  readonly target: Target
  readonly md5?: string | undefined
  /** The last bytes of the file, where they can be had before the rest: some slicers write the settings there. */
  readonly tail?: Uint8Array | undefined
  /** Settings that the archive states beside the text. */
  readonly settings: Readonly<Record<string, string>>
  /** A new file, for the track. */
  readonly trackPath: string
  readonly mostTrackBytes: number
}

const INFLATED_BYTES = 256 * 1024
const WRITTEN_BYTES = 1024 * 1024
const PRIVATE = 0o600

/** A file that is written in large parts. */
class TrackFile {
  readonly #file: number
  #parts: Uint8Array[] = []
  #bytes = 0

  constructor (path: string) { this.#file = openSync(path, 'wx', PRIVATE) }

  write (bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes >= WRITTEN_BYTES) this.#flush()
  }

  close (): void {
    try {
      this.#flush()
    } finally {
      closeSync(this.#file)
    }
  }

  #flush (): void {
    const parts = this.#parts
    const bytes = this.#bytes
    this.#parts = []
    this.#bytes = 0
    const written = writevSync(this.#file, parts)
    if (written === bytes) return
    let rest = Buffer.concat(parts).subarray(written) // the disk took only some of it
    while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest))
  }
}

/** Settings in the last bytes of a file. */
function settingsIn (tail: Uint8Array): Get {
  const settings = new Settings()
  const scanner = new Scanner({
    command () {},
    tooLong () {},
    unreadable () {},
    unknown () {},
    comment: (bytes, start, end) => settings.comment(bytes, start, end)
  })
  scanner.write(tail)
  scanner.end()
  return key => settings.get(key)
}

/** Damage in the archive ends the text; what came before it counts. */
const isDamage = (error: unknown): boolean => /^(Z_|ERR_ZLIB)/.test(String((error as { code?: unknown }).code))

/** Reads a plate, and writes its track to a file. Independent of the thread it runs in. */
export async function readPlate (task: ReadTask): Promise<Reading> {
  const { port, isDeflated, size, target, md5, tail, settings, trackPath, mostTrackBytes } = task
  const atEnd = tail && settingsIn(tail)
  const track = new TrackFile(trackPath)
  const pass = new Pass({
    finder: get => createFinder(target, get),
    writeTrack: bytes => track.write(bytes),
    mostTrackBytes,
    others: key => atEnd?.(key) ?? settings[key],
    md5
  })
  let bytes = 0
  let told = 0
  /** The rest of a file on a slow card may take long. */
  const tell = (): void => {
    const { sure } = pass
    if (sure.length > told) port.postMessage({ sure } satisfies ReaderMessage)
    told = sure.length
  }
  const read = async (parts: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of parts) {
      bytes += part.length
      if (bytes > size) throw new Error('the file is larger than its archive says')
      pass.write(part)
      tell()
    }
  }
  const inflate = () => pipeline(Readable.from(pieces(port)), createInflateRaw({ chunkSize: INFLATED_BYTES }), read)
  try {
    await (isDeflated ? inflate() : read(pieces(port))).catch((error: unknown) => {
      if (!isDamage(error)) throw error
    })
    return pass.end(bytes < size)
  } finally {
    track.close()
    port.close()
  }
}

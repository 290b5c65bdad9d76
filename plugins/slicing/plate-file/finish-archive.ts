import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { ZipFile } from 'yazl'
import { openProjectArchive } from '../../projects/index.js'
import { SlicerFailed } from '../errors.js'
import type { PlatePictures } from '../models/index.js'

/** Unpacked, all together. */
const MOST_BYTES = 4 * 1024 ** 3
const NAME = /^(?!.*\.\.)[\w[\]][\w[\]. /-]{0,199}$/
const TOOLPATHS = 'Metadata/plate_1.gcode'

/**
 * Pictures that are ours. Without a screen the programs write none, or empty ones. The one of objects stays theirs,
 * because its colours are their numbers of objects.
 */
const picturesIn = ({ plate, small, top }: PlatePictures): ReadonlyMap<string, string> => new Map([
  ['Metadata/plate_1.png', plate], ['Metadata/plate_no_light_1.png', plate],
  ['Metadata/plate_1_small.png', small], ['Metadata/top_1.png', top]
])

/** Counts what an archive unpacks to, over all its entries. */
class UnpackLimit {
  #left = MOST_BYTES

  counted (): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#left -= chunk.length
        done(this.#left < 0 ? new Error('it unpacks to too much') : null, chunk)
      }
    })
  }
}

type Opened = Awaited<ReturnType<typeof openProjectArchive>>
type Place = NonNullable<Awaited<ReturnType<Opened['placeOf']>>>

/** Entries that are copied. */
async function keptEntries (archive: Opened, own: ReadonlyMap<string, string>): Promise<readonly [string, Place][]> {
  const kept: [string, Place][] = []
  for (const name of archive.names.filter(name => NAME.test(name) && !name.endsWith('/') && !own.has(name))) {
    const place = await archive.placeOf(name)
    if (place === undefined) throw new Error('its plate is damaged')
    kept.push([name, place])
  }
  return kept
}

/**
 * Copies the archive that a slicer finished, with our pictures of the plate. Toolpaths and checksum stay as they are.
 * @param title of the slicer, for errors
 * @throws PRN_ERR_SLICER_FAILED if it has no toolpaths or cannot be read
 */
export async function finishArchive (
  from: string, to: string, { pictures, title, signal }:
  { readonly pictures: PlatePictures, readonly title: string, readonly signal: AbortSignal }
): Promise<void> {
  const file = await open(from)
  const opened: Readable[] = []
  try {
    const { size } = await file.stat()
    const archive = await openProjectArchive({
      entry: { path: from, name: basename(from), size, isFolder: false, modifiedAt: undefined },
      read: async (start, length) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      }
    }, signal)
    if (!archive.has(TOOLPATHS)) throw new Error('its plate has no toolpaths')
    const own = picturesIn(pictures)
    const limit = new UnpackLimit()
    const zip = new ZipFile()
    for (const [name, { start, packedSize, isDeflated }] of await keptEntries(archive, own)) {
      zip.addReadStreamLazy(name, {}, done => {
        const packed = packedSize === 0
          ? Readable.from([])
          : createReadStream(from, { start, end: start + packedSize - 1 })
        opened.push(packed)
        const content = limit.counted()
        const ended = isDeflated ? pipeline(packed, createInflateRaw(), content) : pipeline(packed, content)
        ended.catch((error: unknown) => { zip.emit('error', error) }) // it does not listen to streams that come late
        done(null, content)
      })
    }
    for (const [name, path] of own) zip.addFile(path, name, { compress: false })
    zip.end()
    const output = zip.outputStream as unknown as Readable
    zip.on('error', error => { output.destroy(error as Error) })
    await pipeline(output, createWriteStream(to, { mode: 0o600 }), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new SlicerFailed(title, (error as Error).message, { cause: error })
  } finally {
    for (const stream of opened) stream.destroy() // those that nobody reads to their end
    await file.close()
  }
}

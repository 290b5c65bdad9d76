import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { ZipFile } from 'yazl'
import { openProjectArchive } from '../../projects/index.js'
import { PlaceFinder, type Places } from './find-places.js'
import { insertLines, type Insertions } from './insert-lines.js'

type Opened = Awaited<ReturnType<typeof openProjectArchive>>
type Place = NonNullable<Awaited<ReturnType<Opened['placeOf']>>>

/** Bytes of G-code, as the reader of plates takes them. */
const LARGEST_PLATE = 1_024 ** 3
/** Unpacked, all together. */
const MOST_BYTES = 4 * 1_024 ** 3
const MD5_BYTES = 256
/** Names that no program could take for a path elsewhere. */
const NAME = /^(?!\/)(?![A-Za-z]:)(?!.*(?:^|\/)\.\.(?:\/|$))[^\0\\]{1,500}$/

/** Why a plate cannot be changed, in words that follow a colon. */
export class PlateProblem extends Error {}

const gcodeOf = (plate: number): string => `Metadata/plate_${plate}.gcode`

/** Counts what an archive unpacks to, over all its entries. */
class UnpackLimit {
  #left = MOST_BYTES

  counted (): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#left -= chunk.length
        done(this.#left < 0 ? new PlateProblem('it unpacks to too much') : null, chunk)
      }
    })
  }
}

/** A sliced file of this host while it is open. */
export class PlateArchive {
  readonly #file: FileHandle
  readonly #archive: Opened
  readonly #gcode: string
  readonly #place: Place
  readonly #limit = new UnpackLimit()
  readonly #streams = new Set<Readable>()

  private constructor (file: FileHandle, archive: Opened, gcode: string, place: Place) {
    this.#file = file
    this.#archive = archive
    this.#gcode = gcode
    this.#place = place
  }

  /** @throws PlateProblem, PRN_ERR_BAD_ARCHIVE */
  static async open (path: string, plate: number, signal: AbortSignal): Promise<PlateArchive> {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const archive = await openProjectArchive({
        entry: { path, name: basename(path), size, isFolder: false, modifiedAt: undefined },
        read: async (start, length) => {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
          return buffer.subarray(0, bytesRead)
        }
      }, signal)
      const gcode = gcodeOf(plate)
      const place = await archive.placeOf(gcode)
      if (place === undefined) throw new PlateProblem(`plate ${plate} is missing, damaged or encrypted`)
      if (place.size > LARGEST_PLATE) throw new PlateProblem('its G-code is too large')
      return new PlateArchive(file, archive, gcode, place)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Reads the plate to its end. @throws PlateProblem */
  async places (signal: AbortSignal): Promise<Places> {
    const finder = new PlaceFinder()
    const hash = createHash('md5')
    for await (const chunk of this.#content(this.#place)) {
      signal.throwIfAborted()
      finder.write(chunk)
      hash.update(chunk)
    }
    const stated = (await this.#archive.read(`${this.#gcode}.md5`, MD5_BYTES))?.toString('latin1').trim().toLowerCase()
    // A new checksum must not make a damaged plate look whole.
    if (stated !== undefined && stated !== '' && stated !== hash.digest('hex')) throw new PlateProblem('its checksum does not match')
    const found = finder.end()
    if (typeof found === 'string') throw new PlateProblem(found)
    return found
  }

  /** Writes a new archive: the plate with the insertions and its checksum, and all other entries as they are. */
  async write (to: string, places: Places, insertions: Insertions, signal: AbortSignal): Promise<void> {
    const md5 = `${this.#gcode}.md5`
    const others = await this.#placesOf(this.#archive.names.filter(name => name !== md5 && !name.endsWith('/')))
    const hash = createHash('md5')
    const zip = new ZipFile()
    const output = zip.outputStream as unknown as Readable
    zip.on('error', error => { output.destroy(error as Error) })
    const lazily = (name: string, make: () => Readable) => zip.addReadStreamLazy(name, {}, done => {
      const stream = make()
      stream.on('error', error => { zip.emit('error', error) })
      done(null, stream)
    })
    for (const [name, place] of others) {
      lazily(name, () => name === this.#gcode
        ? Readable.from(hashed(insertLines(this.#content(place), places, insertions), hash), { objectMode: false })
        : this.#content(place))
    }
    // After the plate, so that its checksum is known when this entry is written.
    lazily(md5, () => Readable.from([Buffer.from(hash.digest('hex').toUpperCase())], { objectMode: false }))
    zip.end()
    await pipeline(output, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal })
  }

  async close (): Promise<void> {
    for (const stream of this.#streams) stream.destroy()
    await this.#file.close()
  }

  async #placesOf (names: readonly string[]): Promise<ReadonlyMap<string, Place>> {
    const places = new Map<string, Place>()
    for (const name of names) {
      if (!NAME.test(name)) throw new PlateProblem('one of its entries has a name that is no file\'s')
      const place = await this.#archive.placeOf(name)
      if (place === undefined) throw new PlateProblem('one of its entries is damaged or encrypted')
      places.set(name, place)
    }
    return places
  }

  #content ({ start, packedSize, isDeflated }: Place): Readable {
    const packed = packedSize === 0
      ? Readable.from([])
      : this.#file.createReadStream({ start, end: start + packedSize - 1, autoClose: false })
    const content = this.#limit.counted()
    this.#streams.add(packed).add(content)
    const ended = isDeflated ? pipeline(packed, createInflateRaw(), content) : pipeline(packed, content)
    ended.catch((error: unknown) => { content.destroy(error as Error) })
    return content
  }
}

async function * hashed (
  source: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

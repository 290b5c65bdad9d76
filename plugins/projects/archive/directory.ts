import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { BadArchive } from '../errors.js'
import { LARGEST_DIRECTORY, MOST_ENTRIES } from '../limits.js'

/** Random access to an archive. */
export interface ArchiveBytes {
  readonly size: number
  /** Bytes `start` to `start + length`, fewer at the end of the file. */
  read (start: number, length: number): Promise<Buffer>
}

/** Gives the ZIP reader access to the file. It only reads the directory; we unpack entries under our own limits. */
class FileReader extends RandomAccessReader {
  readonly #bytes: ArchiveBytes

  constructor (bytes: ArchiveBytes) {
    super()
    this.#bytes = bytes
  }

  override read (buffer: Buffer, offset: number, length: number, position: number,
    callback: (error: Error | null) => void): void {
    const end = (error: Error | null) => setImmediate(callback, error)
    this.#bytes.read(position, length).then(found => {
      found.copy(buffer, offset)
      end(found.length === length ? null : new Error('the file is shorter than its directory says'))
    }, end)
  }
}

export interface Directory {
  readonly zip: ZipFile
  /** By name; the later of two entries with the same name, as in other readers. */
  readonly entries: ReadonlyMap<string, Entry>
}

const nameOf = ({ fileName }: Entry): string => (fileName as unknown as Buffer).toString('utf8').replaceAll('\\', '/')

function collect (zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const start = cursorOf(zip)
  return new Promise((resolve, reject) => {
    zip.once('error', reject)
    zip.once('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      entries.set(nameOf(entry), entry)
      if (cursorOf(zip) - start > LARGEST_DIRECTORY) reject(new BadArchive('its directory is too large'))
      else zip.readEntry()
    })
    zip.readEntry()
  })
}

/** The cursor is a number, although its type says otherwise. */
const cursorOf = (zip: ZipFile): number => Number(zip.readEntryCursor)

/**
 * Reads only the central directory.
 * @throws PRN_ERR_BAD_ARCHIVE
 */
export async function readDirectory (bytes: ArchiveBytes): Promise<Directory> {
  const zip = await fromRandomAccessReaderPromise(new FileReader(bytes), bytes.size, {
    autoClose: false,
    lazyEntries: true,
    // Names are only compared and never become paths, so one odd name must not make the archive unreadable.
    decodeStrings: false,
    validateEntrySizes: false
  })
  if (zip.entryCount > MOST_ENTRIES) {
    throw new BadArchive(`it has ${zip.entryCount} entries, more than ${MOST_ENTRIES}`)
  }
  return { zip, entries: await collect(zip) }
}

import type { Entry } from 'yauzl'
import type { CardFile } from '../../files/index.js'
import { BadArchive } from '../errors.js'
import { GCODE_HEAD, LARGEST_RATIO, RATIO_SLACK } from '../limits.js'
import { isServiceError } from '../../../core/index.js'
import { readDirectory, type ArchiveBytes, type Directory } from './directory.js'
import { canUnpack, unpack, unpackHead } from './unpack.js'

/** Where the content of an entry is in the file of its archive. */
export interface EntryPlace {
  readonly start: number
  readonly packedSize: number
  /** Of the content, as declared. */
  readonly size: number
  /** Else stored as it is. */
  readonly isDeflated: boolean
}

/** An archive whose entries are read on demand. */
export interface Archive {
  readonly names: readonly string[]
  has (name: string): boolean
  /** Declared size of the content, bytes; 0 for a missing entry. */
  sizeOf (name: string): number
  /** Content of an entry; undefined when it is missing, damaged, encrypted or larger than `cap`. */
  read (name: string, cap: number): Promise<Buffer | undefined>
  /** The first bytes of the content as text. */
  head (name: string, length: number): Promise<string | undefined>
  /** For content that is too large to be read at once; undefined when it is missing, encrypted or damaged. */
  placeOf (name: string): Promise<EntryPlace | undefined>
}

/** Compressed bytes that hold the head of the toolpaths. */
const HEAD_DATA = GCODE_HEAD / 2

/** A bad header makes an entry unreadable; a failed or aborted transfer is rethrown. */
function rethrowTransferErrors (error: unknown): undefined {
  if (isServiceError(error) || (error as Error).name === 'AbortError') throw error
}

const isReadable = (entry: Entry): boolean => !entry.isEncrypted() && canUnpack(entry.compressionMethod)

function plausible ({ compressedSize }: Entry, cap: number): number {
  return Math.min(cap, compressedSize * LARGEST_RATIO + RATIO_SLACK)
}

/**
 * @throws PRN_ERR_BAD_ARCHIVE for a file that is not a ZIP, is truncated, or has an invalid directory
 */
export async function openArchive (file: Pick<CardFile, 'entry' | 'read'>, signal?: AbortSignal): Promise<Archive> {
  const bytes = boundedBytes(file, signal)
  const { zip, entries } = await directoryOf(() => readDirectory(bytes))

  const startOf = (entry: Entry): Promise<number | undefined> =>
    zip.readLocalFileHeaderPromise(entry, { minimal: true })
      .then(({ fileDataStart }) => fileDataStart, rethrowTransferErrors)

  async function dataOf (entry: Entry, most: number): Promise<Buffer | undefined> {
    const length = Math.min(entry.compressedSize, most)
    const start = await startOf(entry)
    if (start === undefined) return undefined
    const data = await bytes.read(start, length)
    return data.length === length ? data : undefined
  }

  return {
    names: [...entries.keys()],
    has: name => entries.has(name),
    sizeOf: name => entries.get(name)?.uncompressedSize ?? 0,
    async read (name, cap) {
      const entry = entries.get(name)
      if (!entry || !isReadable(entry) || entry.compressedSize > cap || entry.uncompressedSize > cap) return undefined
      const data = await dataOf(entry, cap)
      return data && await unpack(entry, data, plausible(entry, cap))
    },
    async head (name, length) {
      const entry = entries.get(name)
      if (!entry || !isReadable(entry)) return undefined
      const data = await dataOf(entry, HEAD_DATA)
      return data && (await unpackHead(entry, data, length))?.toString('utf8')
    },
    async placeOf (name) {
      const entry = entries.get(name)
      if (!entry || !isReadable(entry)) return undefined
      const start = await startOf(entry)
      if (start === undefined) return undefined
      const { compressedSize: packedSize, uncompressedSize: size, compressionMethod } = entry
      return { start, packedSize, size, isDeflated: compressionMethod !== 0 }
    }
  }
}

/** Reads stay within the file, whatever its headers say. */
const boundedBytes = (file: Pick<CardFile, 'entry' | 'read'>, signal?: AbortSignal): ArchiveBytes => ({
  size: file.entry.size,
  async read (start, length) {
    signal?.throwIfAborted()
    const wanted = Math.min(length, file.entry.size - start)
    return start >= 0 && wanted > 0 ? await file.read(start, wanted) : Buffer.alloc(0)
  }
})

/** Turns errors of the ZIP reader into PRN_ERR_BAD_ARCHIVE. */
async function directoryOf (read: () => Promise<Directory>): Promise<Directory> {
  try {
    return await read()
  } catch (error) {
    rethrowTransferErrors(error)
    throw new BadArchive(`not a readable 3MF archive: ${(error as Error).message}`, { cause: error })
  }
}

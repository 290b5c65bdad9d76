import { open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { isServiceError } from '../../../core/index.js'
import { openProjectArchive } from '../../projects/index.js'
import { BadModel, ModelTooLarge } from './errors.js'
import { MOST_FILE_BYTES, MOST_MODEL_FILES } from './limits.js'
import type { EntryPlace, ModelFile } from './tasks.js'

const ZIP_MARK = 'PK\u0003\u0004'
const MIB = 1024 ** 2

const WANTED = new Set(['_rels/.rels', 'Metadata/Slic3r_PE_model.config', 'Metadata/model_settings.config'])

/** Entries of a 3MF that the thread reads. */
const isWanted = (name: string): boolean =>
  WANTED.has(name) || name.toLowerCase().endsWith('.model')

async function entriesOf (file: FileHandle, path: string, size: number, signal?: AbortSignal) {
  const archive = await openProjectArchive({
    entry: { path, name: basename(path), size, isFolder: false, modifiedAt: undefined },
    read: async (start, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    }
  }, signal)
  const wanted = archive.names.filter(isWanted).slice(0, MOST_MODEL_FILES)
  const entries: Record<string, EntryPlace> = Object.create(null)
  for (const name of wanted) {
    const place = await archive.placeOf(name)
    if (place) entries[name] = place
  }
  return { entries, isSliced: archive.names.some(name => /^Metadata\/.*\.gcode$/.test(name)) }
}

/**
 * Looks at a file from outside: its size, and the directory of an archive.
 * @throws PRN_ERR_BAD_MODEL, PRN_ERR_MODEL_TOO_LARGE
 */
export async function openModelFile (path: string, name: string, signal?: AbortSignal): Promise<ModelFile> {
  const file = await open(path)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new BadModel(name, 'it is a folder or a device. Choose a file with a model')
    const bytes = stat.size
    if (bytes > MOST_FILE_BYTES) {
      throw new ModelTooLarge(name, `it has ${Math.ceil(bytes / MIB)} MiB, more than ${MOST_FILE_BYTES / MIB}. ` +
        'Export it with fewer triangles')
    }
    const { buffer } = await file.read(Buffer.alloc(ZIP_MARK.length), 0, ZIP_MARK.length, 0)
    if (buffer.toString('latin1') !== ZIP_MARK) return { path, name, bytes, isSliced: false }
    return { path, name, bytes, ...await entriesOf(file, path, bytes, signal) }
  } catch (error) {
    if (isServiceError(error) && error.code === 'PRN_ERR_BAD_ARCHIVE') {
      throw new BadModel(name, 'its archive is damaged. Export it again, or copy it again if it was cut off',
        { cause: error })
    }
    throw error
  } finally {
    await file.close()
  }
}

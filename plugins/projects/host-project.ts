import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { resolveModel } from '../../core/index.js'
import type { Archive } from './archive/index.js'
import type { Plate } from './read/project.js'

/** A project on the host while it is open. */
export interface HostProject {
  readonly plates: readonly Plate[]
  /** The slicer's thumbnail of a plate, as PNG. */
  picture (plate: number): Promise<Buffer | undefined>
}

/** Loaded with the first project, because its libraries are large. */
const reader = () => import('./read/index.js')

async function platesIn (archive: Archive): Promise<Plate[]> {
  const { readPlate, readProject } = await reader()
  const project = await readProject(archive)
  const plates = []
  for (const number of project.plates) plates.push(await readPlate(archive, project, number, resolveModel('').bedMm))
  return plates
}

/**
 * Reads a project on the host.
 * @throws PRN_ERR_BAD_ARCHIVE
 */
export async function readHostProject<T> (path: string, work: (project: HostProject) => Promise<T>,
  signal?: AbortSignal): Promise<T> {
  const { openArchive, readImage } = await reader()
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const archive = await openArchive({
      entry: { path, name: basename(path), size, isFolder: false, modifiedAt: undefined },
      read: async (start, length) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
        return buffer.subarray(0, bytesRead)
      }
    }, signal)
    return await work({ plates: await platesIn(archive), picture: plate => readImage(archive, plate, 'thumbnail') })
  } finally {
    await file.close()
  }
}

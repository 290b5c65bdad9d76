import type { CardFile } from '../files/index.js'
import type { Archive } from './archive/index.js'

/**
 * Opens the archive of a project, to read entries of it.
 * @throws PRN_ERR_BAD_ARCHIVE
 */
export async function openProjectArchive (file: Pick<CardFile, 'entry' | 'read'>, signal?: AbortSignal): Promise<Archive> {
  const { openArchive } = await import('./read/index.js') // only with the first project, because its libraries are large
  return await openArchive(file, signal)
}

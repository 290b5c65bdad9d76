import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileMissing } from './errors.js'

/** Finds files in a folder by their plain name; links do not count. */
export const storedIn = (folder: () => Promise<string>) => async (name: string): Promise<string> => {
  const path = join(await folder(), name)
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new FileMissing(name)
  return path
}

import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

/**
 * Whether a damaged file with pinned keys was set aside, in this run or before. As long as it is there, nobody is
 * trusted for coming first: remove it to begin anew.
 */
export async function wasLost (path: string): Promise<boolean> {
  const files = await readdir(dirname(path)).catch(() => [])
  return files.some(file => file.startsWith(`${basename(path)}.damaged-`))
}

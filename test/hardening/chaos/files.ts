import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the service may not lose, whenever it dies: by name, as it stands on the disk. */
export type Kept = Readonly<Record<string, string>>

const KEPT = ['config.json', 'data/certificates.json', 'data/secrets/printers.json']

export async function readKept (folder: string): Promise<Kept> {
  const texts = await Promise.all(KEPT.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const))
  return Object.fromEntries(texts)
}

/** Names of files that differ. */
export const differing = (before: Kept, after: Kept): string[] => KEPT.filter(name => before[name] !== after[name])

/** Files that were set aside because they were damaged. */
export const damaged = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter(name => name.includes('.damaged-'))

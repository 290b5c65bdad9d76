import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A JSON file on its way to its name: the name and the number that write-file-atomic appends. */
const JSON_PART = /\.json\.\d{6,10}$/
/** An upload or a download on its way to its name. */
const FILE_PART = /^\.[0-9a-f]{12}\.part$/
/** A stored project on its way to its name. */
const PROJECT_PART = /^[0-9a-f]{32}\.project\.[0-9a-f]{8}$/
/** Folders below the data folder in which people's files lie: everything else is written by the service alone. */
const USER_FOLDERS = new Set(['uploads', 'own-uploads', 'files'])
/** Nothing of ours lies deeper. */
const MOST_LEVELS = 4

const startedAt = (): number => Date.now() - process.uptime() * 1000

async function cleanFolder (folder: string, isPart: (name: string) => boolean, before: number, levels: number):
Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) { // a link is neither
    const path = join(folder, entry.name)
    if (entry.isDirectory() && levels > 0) await cleanFolder(path, isPart, before, levels - 1)
    if (!entry.isFile() || !isPart(entry.name)) continue
    const writtenAt = await lstat(path).then(info => info.mtimeMs, () => Infinity)
    if (writtenAt < before) await rm(path, { force: true }).catch(() => {})
  }
}

/**
 * Removes what a service that was killed in the middle of writing left in its data folder, and beside its
 * configuration: files with names that only unfinished files of ours have, written last before this process began.
 */
export async function removeStaleFiles (dataDir: string, configFile: string, before = startedAt()): Promise<void> {
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => [])
  for (const { name } of entries.filter(entry => entry.isDirectory())) {
    const isPart = USER_FOLDERS.has(name)
      ? (part: string) => FILE_PART.test(part)
      : (part: string) => JSON_PART.test(part) || PROJECT_PART.test(part)
    await cleanFolder(join(dataDir, name), isPart, before, MOST_LEVELS)
  }
  await cleanFolder(dataDir, name => JSON_PART.test(name), before, 0)
  const ours = `${basename(configFile)}.`
  await cleanFolder(dirname(configFile),
    name => name.startsWith(ours) && /^\d{6,10}$/.test(name.slice(ours.length)), before, 0)
}

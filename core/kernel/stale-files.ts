import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Temporary name of a JSON file: its name and the number that write-file-atomic appends. */
const JSON_PART = /\.json\.\d{6,10}$/
/** Temporary name of an upload or a download. */
const FILE_PART = /^\.[0-9a-f]{12}\.part$/
/** Temporary name of a stored project. */
const PROJECT_PART = /^[0-9a-f]{32}\.project\.[0-9a-f]{8}$/
/** Folders inside the data folder with users' files: all others are written by the service alone. */
const USER_FOLDERS = new Set(['uploads', 'own-uploads', 'files'])
/** Maximum depth of our files. */
const MOST_LEVELS = 4

const startedAt = (): number => Date.now() - process.uptime() * 1000

async function cleanFolder (folder: string, isPart: (name: string) => boolean, before: number, levels: number):
Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) { // links are skipped
    const path = join(folder, entry.name)
    if (entry.isDirectory() && levels > 0) await cleanFolder(path, isPart, before, levels - 1)
    if (!entry.isFile() || !isPart(entry.name)) continue
    const writtenAt = await lstat(path).then(info => info.mtimeMs, () => Infinity)
    if (writtenAt < before) await rm(path, { force: true }).catch(() => {})
  }
}

/**
 * Removes unfinished files that a killed service left in its data folder and next to its configuration: those with our
 * temporary names that were last written before this process started.
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

// Until version 3 the name was `prn`, which is not a valid file name on Windows.
import envPaths from 'env-paths'
import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FolderInUse } from '../errors.js'
import { environment } from '../util/environment.js'
import { isFolderInUse } from './folder-lock.js'

const OLD_NAME = 'prn'
const NEW_NAME = 'prnd'
type Say = (message: string) => void

/** The platform's folders, unless the environment names others. */
function platformFolders (name: string, env = environment()): readonly string[] {
  const { config, data } = envPaths(name, { suffix: '' })
  return [...env.PRN_CONFIG ? [] : [config], ...env.PRN_DATA_DIR ? [] : [data]]
}

/** Renaming the database of a running service would lose it. */
async function checkUnused (dataDir: string): Promise<void> {
  if (await isFolderInUse(dataDir)) throw new FolderInUse(dataDir, 'that of an earlier version')
}

/**
 * Renames the configuration and data folders of version 2 if there are no new ones yet.
 * @param say called once for each folder
 * @throws PRN_ERR_FOLDER_IN_USE while the old service is running; nothing is renamed then
 */
export async function takeOverFolders (say: Say, foldersOf = platformFolders): Promise<void> {
  const now = foldersOf(NEW_NAME)
  const due = foldersOf(OLD_NAME).flatMap((from, at) => {
    const to = now[at]
    return to !== undefined && existsSync(from) && !existsSync(to) ? [{ from, to }] : []
  })
  for (const { from } of due) await checkUnused(from)
  for (const { from, to } of due) {
    await rename(from, to)
    say(`${from} is now ${to}, because the program is now called ${NEW_NAME}.`)
  }
}

/** A file and its companions, which are renamed first, so that the next start continues after a crash in between. */
const GROUPS = [
  { folder: [], file: 'prn.log', others: /^prn\.log\.\d+$/ },
  { folder: ['plugins', 'database'], file: 'prn.sqlite', others: /^prn\.sqlite-(wal|shm|journal)$/ }
] as const

/** @returns names to rename in one folder, in this order; none if the new file exists already */
async function oldFiles (folder: string, { file, others }: typeof GROUPS[number]): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  if (!names.includes(file) || names.includes(renamed(file))) return []
  return [...names.filter(name => others.test(name)), file]
}

const renamed = (name: string) => name.replace(OLD_NAME, NEW_NAME)

/**
 * Renames the log and the database of version 2 in a data folder.
 * @throws PRN_ERR_FOLDER_IN_USE while the old service is running, which would lose its database
 */
export async function takeOverFiles (dataDir: string, say: Say): Promise<void> {
  for (const group of GROUPS) {
    const folder = join(dataDir, ...group.folder)
    const names = await oldFiles(folder, group)
    if (names.length === 0) continue
    await checkUnused(dataDir)
    for (const name of names) await rename(join(folder, name), join(folder, renamed(name)))
    say(`${join(folder, group.file)} is now ${renamed(group.file)}, because the program is now called ${NEW_NAME}.`)
  }
}

// The name was `prn` until version 3. On Windows no file or folder can be called that.
import envPaths from 'env-paths'
import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FolderInUse } from '../errors.js'
import { environment } from '../util/environment.js'
import { isAlive } from '../util/process-identity.js'
import { readServiceFile } from './folder-lock.js'

const OLD_NAME = 'prn'
const NEW_NAME = 'prnd'
type Say = (message: string) => void

/** Those of the platform, unless the environment names others. */
function platformFolders (name: string, env = environment()): readonly string[] {
  const { config, data } = envPaths(name, { suffix: '' })
  return [...env.PRN_CONFIG ? [] : [config], ...env.PRN_DATA_DIR ? [] : [data]]
}

async function isInUse (dataDir: string): Promise<boolean> {
  const service = await readServiceFile(dataDir)
  return service !== undefined && isAlive(service.process) !== false
}

/**
 * Renames the configuration and data folders of version 2, where there are no new ones yet.
 * @param say called once for each folder
 * @throws PRN_ERR_FOLDER_IN_USE while the old service still runs
 */
export async function takeOverFolders (say: Say, foldersOf = platformFolders): Promise<void> {
  const now = foldersOf(NEW_NAME)
  for (const [at, old] of foldersOf(OLD_NAME).entries()) {
    const folder = now[at]
    if (folder === undefined || !existsSync(old) || existsSync(folder)) continue
    if (await isInUse(old)) throw new FolderInUse(old, 'the service of an earlier version')
    await rename(old, folder)
    say(`${old} is now ${folder}, because the program is now called ${NEW_NAME}.`)
  }
}

/** Renames what version 2 left in a data folder, unless the new file is there already. */
export async function takeOverFiles (dataDir: string, say: Say): Promise<void> {
  const folders = [dataDir, join(dataDir, 'plugins', 'database')]
  const found = await Promise.all(folders.map(async folder => {
    const names = await readdir(folder).catch((): string[] => [])
    return names.filter(name => /^prn\.(log|sqlite)/.test(name)).map(name => ({ folder, name }))
  }))
  const old = found.flat()
  if (old.length === 0 || await isInUse(dataDir)) return
  for (const { folder, name } of old) {
    const path = join(folder, name.replace(OLD_NAME, NEW_NAME))
    if (!existsSync(path)) await rename(join(folder, name), path)
  }
  say(`The files of version 2 in ${dataDir} were renamed: ${old.map(({ name }) => name).join(', ')}.`)
}

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultDataDir, readConfig } from '../../../core/index.js'
import { installedRuntimes, isNeeded, modelFolder, runtimeFolder, RUNTIMES } from '../../../plugins/health-model/index.js'
import { npm } from './npm.js'

interface Place { readonly config?: string }

const folderOf = async ({ config: file }: Place): Promise<string> => {
  const { config } = await readConfig(file)
  return runtimeFolder(modelFolder(config.dataDir ?? defaultDataDir()))
}

export async function show (place: Place): Promise<void> {
  const installed = Object.entries(await installedRuntimes(await folderOf(place)))
  console.log(installed.length === 0
    ? 'No runtime is installed: prnd health runtime install'
    : installed.map(([name, version]) => `${name} ${version}`).join(', '))
}

/** Deletes files for other platforms, which are most of the packages. */
async function prune (folder: string): Promise<void> {
  for (const { name } of RUNTIMES) {
    const root = join(folder, 'node_modules', name)
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && !isNeeded(path)) await rm(path)
    }
  }
}

/** Installs both runtimes in the data folder, without install scripts: one would download files from elsewhere. */
export async function install (place: Place): Promise<void> {
  const folder = await folderOf(place)
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    await writeFile(join(fresh, 'package.json'), '{ "private": true }\n')
    const wanted = RUNTIMES.map(({ name, version }) => `${name}@${version}`)
    console.error(`Installing ${wanted.join(' and ')} into ${folder} …`)
    await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], fresh,
      'npm could not install the runtime; nothing was changed')
    await prune(fresh)
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  console.log('Installed.')
}

export async function remove (place: Place): Promise<void> {
  await rm(await folderOf(place), { recursive: true, force: true })
  console.log('The runtime was removed.')
}

import { rm } from 'node:fs/promises'
import { defaultDataDir, readConfig } from '../../../core/index.js'
import {
  installedRuntimes, installRuntime, modelFolder, runtimeFolder, RUNTIMES
} from '../../../plugins/health-model/index.js'

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

export async function install (place: Place): Promise<void> {
  const folder = await folderOf(place)
  console.error(`Installing ${RUNTIMES.map(({ name, version }) => `${name} ${version}`).join(' and ')} into ${folder} …`)
  await installRuntime(folder)
  console.log('Installed.')
}

export async function remove (place: Place): Promise<void> {
  await rm(await folderOf(place), { recursive: true, force: true })
  console.log('The runtime was removed.')
}

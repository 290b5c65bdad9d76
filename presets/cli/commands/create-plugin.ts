import { existsSync } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineError, pluginNames, VERSION } from '../../../core/index.js'
import daemon from '../../daemon/index.js'
import type { PluginName } from '../plugin-name.js'
import { TEMPLATE } from '../plugin-template.data.js'

export const NameTaken = defineError<[name: string]>(
  'PRN_ERR_PLUGIN_NAME', "'%s' is a built-in plugin; choose another name", 409)
export const FolderTaken = defineError<[folder: string]>(
  'PRN_ERR_FOLDER_TAKEN', '%s already exists; choose another name, or another folder with --dir', 409)
export const NotWritten = defineError<[folder: string, reason: string]>(
  'PRN_ERR_FOLDER_NOT_WRITTEN', '%s cannot be written: %s', 409)

const own = createRequire(import.meta.url)

/** `bed-watch` as a title. */
const titleOf = (name: string): string => (name.slice(0, 1).toUpperCase() + name.slice(1)).replaceAll('-', ' ')

/** Folder of the running package. */
const packageFolder = () => dirname(own.resolve('prnd/package.json'))

/** Whether `import 'prnd'` in a folder resolves to the running package. */
async function isReachableFrom (folder: string): Promise<boolean> {
  const places = createRequire(join(folder, 'index.js')).resolve.paths('prnd') ?? []
  const found = places.map(place => join(place, 'prnd')).find(place => existsSync(place))
  return found !== undefined && await realpath(found) === await realpath(packageFolder())
}

/** A file of the template with these values; texts of the plugin's page keep their own braces. */
export const fillTemplate = (path: string, values: Readonly<Record<string, string>>): string =>
  (TEMPLATE[path] ?? '').replaceAll(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole)

/**
 * The files of a plugin. If the running package cannot be resolved from its folder, a copy of it is installed there.
 */
function filesOf (plugin: PluginName, folder: string, reachable: boolean): Record<string, string> {
  const { dependencies } = own('prnd/package.json') as { dependencies: { typebox: string } }
  const values: Readonly<Record<string, string>> = {
    name: plugin.name,
    snake: plugin.name.replaceAll('-', '_'),
    title: titleOf(plugin.name),
    package: plugin.package,
    folder: basename(folder),
    version: VERSION,
    typebox: dependencies.typebox
  }
  const files = Object.fromEntries(Object.keys(TEMPLATE).map(path => [path, fillTemplate(path, values)]))
  if (reachable) return files
  const manifest = JSON.parse(files['package.json'] ?? '') as { devDependencies: Record<string, string> }
  manifest.devDependencies.prnd = `file:${packageFolder()}`
  return { ...files, 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, '.npmrc': 'install-links=true\n' }
}

async function makeFolder (folder: string): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true })
    await mkdir(folder) // fails if it exists, even if it was created a moment ago
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'EEXIST' && existsSync(folder) ? new FolderTaken(folder) : new NotWritten(folder, message)
  }
}

/**
 * Creates a working plugin with its test.
 * @throws PRN_ERR_PLUGIN_NAME, PRN_ERR_FOLDER_TAKEN, PRN_ERR_FOLDER_NOT_WRITTEN
 */
export default async function createPlugin (plugin: PluginName, { dir }: { dir?: string }): Promise<void> {
  if (pluginNames(daemon.plugins).has(plugin.name)) throw new NameTaken(plugin.name)
  const folder = resolve(dir ?? basename(plugin.package))
  await makeFolder(folder)
  for (const [path, text] of Object.entries(filesOf(plugin, folder, await isReachableFrom(folder)))) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const shown = relative('', folder)
  const types = join(packageFolder(), 'dist', 'types', 'core', 'index.d.ts')
  if (!existsSync(types)) console.log(`First, in ${packageFolder()}: npm run types (writes the declarations that the compiler needs).`)
  console.log(`${plugin.package} is in ${shown}. Next:\n  cd ${shown}\n  npm install\n  npm test`)
}

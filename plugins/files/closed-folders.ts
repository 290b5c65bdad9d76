import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locatePlugin, type Kernel } from '../../core/index.js'

/** The package that a file belongs to, else its folder. */
function packageOf (file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return dirname(file)
}

/** Folders of plugins that the configuration names, wherever they were linked from. */
const pluginFolders = ({ config: { plugins }, configFile, plugins: known }: Kernel): string[] =>
  Object.keys(plugins).filter(name => !known.has(name))
    .flatMap(reference => locatePlugin(reference, configFile) ?? []).map(packageOf)

/** What no caller may read or write by a path of the host: whoever changes one of these changes the service. */
export function closedFolders (kernel: Kernel): string[] {
  const { config, configFile, dataDir } = kernel
  const codes = config.printers.flatMap(({ accessCode }) =>
    typeof accessCode === 'object' && 'file' in accessCode ? dirname(accessCode.file) : [])
  const authorities = config.printers.flatMap(({ tls }) => tls?.ca ?? [])
  return [
    packageOf(fileURLToPath(import.meta.url)),
    ...(process.argv[1] === undefined ? [] : [packageOf(process.argv[1])]),
    dirname(process.execPath),
    dirname(configFile),
    dataDir,
    ...codes,
    ...authorities,
    ...(typeof config.log.file === 'string' ? [config.log.file] : []),
    ...(config.ffmpeg === undefined ? [] : [config.ffmpeg]),
    ...pluginFolders(kernel)
  ]
}

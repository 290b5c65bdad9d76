import { existsSync, type Stats } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BadInput, locatePlugin, type Kernel } from '../../core/index.js'
import { FileMissing, HostPathClosed, HostPathRefused } from './errors.js'

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/
const LONGEST_NAME_BYTES = 255
/** Characters that desktop file systems forbid, and separators. */
const UNSAFE = /[<>:"\\|?*/]/

/** A plain file name: the part of a given name after its last slash. Undefined if that is not safe. */
export function plainName (given: string): string | undefined {
  const name = given.split(/[/\\]/).at(-1) ?? ''
  const isSafe = name.trim() !== '' && !/^\.+$/.test(name) && !CONTROL.test(name) && !UNSAFE.test(name) &&
    Buffer.byteLength(name) <= LONGEST_NAME_BYTES
  return isSafe ? name : undefined
}

const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Host paths that callers may name. */
export interface HostPaths {
  /** An existing file. @throws PRN_ERR_HOST_PATH_REFUSED, PRN_ERR_FILE_NOT_FOUND */
  source (path: string): Promise<string>
  /** A file that may be written, in a folder that exists. @throws PRN_ERR_HOST_PATH_REFUSED */
  target (path: string): Promise<string>
}

/** Folders of the host, by permitted access. */
export interface HostFolders {
  /** Created for this, inside closed folders; relative paths start here. */
  readonly own: string
  /** Listed in the configuration. */
  readonly open: readonly string[]
  /** Never accessible, not even inside a configured folder; may be files. */
  readonly closed: readonly string[]
}

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)

/** Resolves a path that may not exist yet, by its nearest existing folder. */
async function realAsFar (path: string): Promise<string> {
  const folder = dirname(path)
  return await real(path) ?? (folder === path ? path : join(await realAsFar(folder), basename(path)))
}
const realOf = async (paths: readonly string[]): Promise<string[]> =>
  await Promise.all(paths.map(path => realAsFar(resolve(path))))

/** Hidden files contain settings and keys, packages contain code. */
const isHidden = (folder: string, path: string): boolean =>
  relative(folder, path).split(sep).some(name => name.startsWith('.') || name === 'node_modules')

const EXECUTABLE_BITS = 0o111
const EXECUTABLE_NAME = /\.(exe|com|bat|cmd|ps1|msi|dll|scr|vbs)$/i

/** Executables, and files with more than one hard link. */
const isProtected = ({ mode, nlink }: Stats, path: string): boolean =>
  nlink > 1 || (process.platform === 'win32' ? EXECUTABLE_NAME.test(path) : (mode & EXECUTABLE_BITS) !== 0)

/** Links are resolved first: the target of a path decides. */
export function createHostPaths ({ own, open, closed }: HostFolders): HostPaths {
  const folders = [own, ...open]

  async function check (path: string, given: string): Promise<string> {
    const [[home = own], allowed, never] = await Promise.all([realOf([own]), realOf(folders), realOf(closed)])
    const around = allowed.filter(folder => isWithin(folder, path))
    if (around.length === 0) throw new HostPathRefused(given, folders.join(', '))
    const isClosed = (folder: string) => isWithin(folder, path) && !(isWithin(home, path) && isWithin(folder, home))
    if (around.every(folder => isHidden(folder, path)) || never.some(isClosed)) throw new HostPathClosed(given)
    return path
  }

  const plain = (path: string): string => {
    if (path === '' || CONTROL.test(path)) throw new BadInput('The host path is empty or holds control characters')
    return resolve(own, path)
  }

  return {
    async source (given) {
      const target = plain(given)
      const path = await real(target)
      if (path === undefined) {
        await check(await realAsFar(target), given) // outside the folders, not even its absence is revealed
        throw new FileMissing(given)
      }
      await check(path, given)
      if (!(await lstat(path)).isFile()) throw new FileMissing(given)
      return path
    },
    async target (given) {
      const target = plain(given)
      const folder = await real(dirname(target))
      await check(await realAsFar(target), given)
      if (folder === undefined) throw new FileMissing(dirname(given))
      const path = await check(await real(join(folder, basename(target))) ?? join(folder, basename(target)), given)
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined) return path
      if (!found.isFile()) throw new BadInput(`${given} is not a regular file`)
      if (isProtected(found, path)) throw new BadInput(`${given} is executable or has a second name; it is not overwritten`)
      return path
    }
  }
}

/** The root of the package that a file belongs to, else its folder. */
function packageOf (file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return dirname(file)
}

/** Folders of configured plugins, with links resolved. */
const pluginFolders = ({ config: { plugins }, configFile, plugins: known }: Kernel): string[] =>
  Object.keys(plugins).filter(name => !known.has(name))
    .flatMap(reference => locatePlugin(reference, configFile) ?? []).map(packageOf)

/** Paths that no caller may read or write: changing one of these would change the service. */
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

import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { BadInput } from '../../core/index.js'
import { FileMissing, HostPathRefused } from './errors.js'

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/
const LONGEST_NAME_BYTES = 255
/** What no file system of a desktop takes, and what leads elsewhere. */
const UNSAFE = /[<>:"\\|?*/]/

/** A plain file name: what remains of a given name after its last slash. Undefined when nothing safe does. */
export function plainName (given: string): string | undefined {
  const name = given.split(/[/\\]/).at(-1) ?? ''
  const isSafe = name.trim() !== '' && !/^\.+$/.test(name) && !CONTROL.test(name) && !UNSAFE.test(name) &&
    Buffer.byteLength(name) <= LONGEST_NAME_BYTES
  return isSafe ? name : undefined
}

const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The host paths that callers may name. */
export interface HostPaths {
  /** An existing file. @throws PRN_ERR_HOST_PATH_REFUSED, PRN_ERR_FILE_NOT_FOUND */
  source (path: string): Promise<string>
  /** A file that may be written, in a folder that exists. @throws PRN_ERR_HOST_PATH_REFUSED */
  target (path: string): Promise<string>
}

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)

/** Links are resolved first: what counts is where a path leads. */
export function createHostPaths (folders: readonly string[]): HostPaths {
  async function check (path: string, given: string): Promise<string> {
    const allowed = await Promise.all(folders.map(folder => real(folder)))
    if (allowed.some(folder => folder !== undefined && isWithin(folder, path))) return path
    throw new HostPathRefused(given, folders.join(', '))
  }

  const plain = (path: string): string => {
    if (path === '' || CONTROL.test(path)) throw new BadInput('The host path is empty or holds control characters')
    return resolve(path)
  }

  return {
    async source (given) {
      const wanted = plain(given)
      const path = await real(wanted)
      if (path === undefined) {
        await check(await nearestFolder(wanted), given) // outside, not even its absence is told
        throw new FileMissing(given)
      }
      await check(path, given)
      if (!(await lstat(path)).isFile()) throw new FileMissing(given)
      return path
    },
    async target (given) {
      const wanted = plain(given)
      const folder = await real(dirname(wanted))
      await check(folder ?? await nearestFolder(wanted), given)
      if (folder === undefined) throw new FileMissing(dirname(given))
      const path = await real(join(folder, basename(wanted))) ?? join(folder, basename(wanted))
      const found = await lstat(path).catch(() => undefined)
      if (found !== undefined && !found.isFile()) throw new BadInput(`${given} is not a plain file`)
      return await check(path, given)
    }
  }
}

/** The last folder on the way to a path that is there. */
async function nearestFolder (path: string): Promise<string> {
  const folder = dirname(path)
  return await real(folder) ?? (folder === path ? path : await nearestFolder(folder))
}

import envPaths from 'env-paths'
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { loadConfig, secretKey, type Config } from './config.js'
import { environment, type Environment } from '../util/environment.js'
import { BadConfig, NotAFile } from '../errors.js'
import { withFileLock } from '../util/file-lock.js'
import { jsonProblem } from '../util/locate-json-error.js'
import { editSecrets } from './secrets.js'
import { writeJson } from '../util/json-store.js'
import { readNamedText } from '../util/own-file.js'

const paths = envPaths('prnd', { suffix: '' })

/** The default data folder. */
export const defaultDataDir = (env: Environment = environment()): string => env.PRN_DATA_DIR || paths.data

/** The configuration file: the given one, else `PRN_CONFIG`, else in the platform's configuration folder. */
export const configPath = (given?: string, env: Environment = environment()): string =>
  resolve(given ?? (env.PRN_CONFIG || join(paths.config, 'config.json')))

type Tree = Record<string, unknown>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

export interface ReadConfig {
  readonly config: Config
  readonly path: string
  /** False if there is no file yet and the defaults apply. */
  readonly exists: boolean
}

/**
 * Reads and validates the configuration. Access codes in plain text are moved to the secrets file, so that the
 * configuration can be shared. Relative paths in the file are resolved against its folder.
 * @param given a path named by the user, which must exist
 * @throws PRN_ERR_CONFIG
 */
export async function readConfig (given?: string, { env = environment(), warn = () => {} }:
{ env?: Environment, warn?: (message: string) => void } = {}): Promise<ReadConfig> {
  const path = configPath(given, env)
  const file = await readTree(path)
  if (file === undefined && (given ?? env.PRN_CONFIG)) throw new BadConfig(`there is no file ${path}`)
  const check = (tree: Tree, say: typeof warn) =>
    inFile(path, () => loadConfig(anchored(tree, dirname(path)), env, say))
  const config = check(file ?? {}, warn)
  if (isTree(file?.api) && file.api.token !== undefined && await othersMayRead(path)) {
    warn(`${path} holds the token and can be read by others; its mode should be 0600: chmod 600 ${path}`)
  }
  const moved = withPlainCode(file).length === 0
    ? undefined
    : await moveAccessCodes(path, config.dataDir ?? paths.data, warn)
  return { config: moved ? check(moved, () => {}) : config, path, exists: file !== undefined }
}

/** Changes the file's tree and writes it atomically; the order of keys is preserved. */
export const editConfig = (path: string, change: (tree: Tree) => void): Promise<void> =>
  withFileLock(path, () => editTree(path, change))

/** The same for a caller that already holds the file's lock. */
export async function editTree (path: string, change: (tree: Tree) => void): Promise<void> {
  const tree = await readTree(path) ?? {}
  change(tree)
  inFile(path, () => loadConfig(tree))
  await writeTree(path, tree)
}

/** A symbolic link stays, and its target is changed: some users store configurations elsewhere. */
async function writeTree (path: string, tree: Tree): Promise<void> {
  const file = await realpath(path).catch(() => path)
  await writeJson(file, tree, await modeOf(file))
}

const OWNER_ONLY = 0o600
const modeOf = async (path: string) => await stat(path).then(info => info.mode & 0o777, () => OWNER_ONLY)

const othersMayRead = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await modeOf(path)) & 0o077) !== 0

/** @throws PRN_ERR_CONFIG for a file that is unreadable, not JSON, or not an object */
export async function readTree (path: string): Promise<Tree | undefined> {
  const text = await readNamedText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    const problem = error instanceof NotAFile ? 'it is not a regular file' : error.message
    throw new BadConfig(`${path} cannot be read: ${problem}`)
  })
  if (text === undefined) return undefined
  const json = text.replace(/^\uFEFF/, '') // some editors begin files with a byte order mark
  const problem = jsonProblem(json)
  if (problem !== undefined) throw new BadConfig(`${path} is not valid JSON: ${problem}`)
  const tree: unknown = JSON.parse(json)
  if (!isTree(tree)) throw new BadConfig(`${path} must hold an object, such as { "printers": [] }, and holds ${nameOf(tree)}`)
  return tree
}

function nameOf (value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null ? 'null' : `a ${typeof value}`
}

function inFile<T> (path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof BadConfig) throw new BadConfig(`${path}: ${error.message}`)
    throw error
  }
}

/** A copy with absolute paths. Values of the wrong type are left for the validation. */
function anchored (file: Tree, folder: string): Tree {
  if (!isTree(file)) return file
  const tree = structuredClone(file)
  const anchor = (node: unknown, key: string) => {
    if (isTree(node) && typeof node[key] === 'string' && node[key] !== '') node[key] = resolve(folder, node[key])
  }
  anchor(tree, 'dataDir')
  anchor(tree.log, 'file')
  for (const printer of Array.isArray(tree.printers) ? tree.printers.filter(isTree) : []) {
    anchor(printer.accessCode, 'file')
    anchor(printer.tls, 'ca')
  }
  return tree
}

const withPlainCode = (tree: Tree | undefined): readonly Tree[] =>
  (tree?.printers as Tree[] | undefined)?.filter(({ accessCode }) => typeof accessCode === 'string') ?? []

/** @returns the file's tree without codes, once they are in the secrets file */
async function moveAccessCodes (path: string, dataDir: string, warn: (message: string) => void):
Promise<Tree | undefined> {
  const stays = (error: Error) => { warn(`access codes stay in ${path}: ${error.message}`) }
  try {
    return await withFileLock(path, async () => {
      const tree = await readTree(path) ?? {} // another process may have moved them meanwhile
      const plain = withPlainCode(tree)
      const moved = plain.map(({ serial, accessCode }) => [secretKey(String(serial)), String(accessCode)] as const)
      await editSecrets(dataDir, path, warn, codes => ({ ...codes, ...Object.fromEntries(moved) }))
      for (const printer of plain) delete printer.accessCode
      await writeTree(path, tree).catch(stays)
      return tree
    })
  } catch (error) {
    stays(error as Error)
    return undefined
  }
}

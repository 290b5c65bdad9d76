import envPaths from 'env-paths'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { environment, loadConfig, type Config, type Environment } from './config.js'
import { BadConfig } from './errors.js'
import { openSecrets } from './secrets.js'
import { writeJson } from './store.js'

const paths = envPaths('prn', { suffix: '' })

/** Where data lies unless configured otherwise. */
export const defaultDataDir = (env: Environment = environment()): string => env.PRN_DATA_DIR || paths.data

/** The configuration file: as given, else `PRN_CONFIG`, else in the platform's configuration folder. */
export const configPath = (given?: string, env: Environment = environment()): string =>
  resolve(given ?? (env.PRN_CONFIG || join(paths.config, 'config.json')))

type Tree = Record<string, unknown>

export interface ReadConfig {
  readonly config: Config
  readonly path: string
  /** False: there is no file yet; the defaults apply. */
  readonly exists: boolean
}

/**
 * Reads and checks the configuration. Access codes written as text are moved into the secrets file, so that
 * the configuration can be shown and shared.
 * @param given a path the user named, which must then exist
 * @throws PRN_ERR_CONFIG
 */
export async function readConfig (given?: string, { env = environment(), warn = () => {} }:
{ env?: Environment, warn?: (message: string) => void } = {}): Promise<ReadConfig> {
  const path = configPath(given, env)
  const file = await readTree(path)
  if (file === undefined && (given ?? env.PRN_CONFIG)) throw new BadConfig(`there is no file ${path}`)
  const config = inFile(path, () => loadConfig(file ?? {}, env, warn))
  if (file !== undefined) await moveAccessCodes(path, file, config.dataDir ?? paths.data, warn)
  return { config, path, exists: file !== undefined }
}

/** Changes the file's tree and writes it at once or not at all; the order of keys is kept. */
export async function editConfig (path: string, change: (tree: Tree) => void): Promise<void> {
  const tree = await readTree(path) ?? {}
  change(tree)
  inFile(path, () => loadConfig(tree))
  await writeJson(path, tree, await modeOf(path))
}

const OWNER_ONLY = 0o600
const modeOf = async (path: string) => await stat(path).then(info => info.mode & 0o777, () => OWNER_ONLY)

async function readTree (path: string): Promise<Tree | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new BadConfig(error.message)
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Tree
  } catch (error) {
    throw new BadConfig(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}

function inFile<T> (path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof BadConfig) throw new BadConfig(`${path}: ${error.message}`)
    throw error
  }
}

async function moveAccessCodes (path: string, tree: Tree, dataDir: string, warn: (message: string) => void) {
  const printers = tree.printers as Tree[] | undefined
  const plain = printers?.filter(({ accessCode }) => typeof accessCode === 'string') ?? []
  if (plain.length === 0) return
  const secrets = await openSecrets(dataDir, warn)
  const { accessCodes } = secrets.get()
  const moved = Object.fromEntries(plain.map(({ serial, accessCode }) => [String(serial), String(accessCode)]))
  await secrets.set({ version: 1, accessCodes: { ...accessCodes, ...moved } })
  for (const printer of plain) delete printer.accessCode
  await writeJson(path, tree, await modeOf(path)).catch((error: Error) =>
    warn(`access codes stay in ${path}, which cannot be written: ${error.message}`))
}

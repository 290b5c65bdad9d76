import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  checkReplaceable, configPath, createKernel, defaultDataDir, environment, loadConfig, lockFolder, readConfig,
  timeoutSignal, writeOwnText, type Config, type ReadConfig
} from '../../../core/index.js'
import {
  checkBackup, CODES, CONFIGURATION, configurationIn, contentsOf, entriesOf, FILES, RELAY_CLIENTS, SETTINGS, settingsIn,
  writeBackup
} from '../../../plugins/backup/index.js'
import { isInUse, type TableRows } from '../../../plugins/database/index.js'
import daemon from '../../daemon/index.js'
import { counted, printable } from '../table.js'
import { knownOptions } from '../known-options.js'

interface Options { readonly config?: string }
interface BackupOptions extends Options { readonly codes?: boolean, readonly force?: boolean }
interface RestoreOptions extends Options {
  readonly replace?: boolean
  /** Names of plugins, with commas, whose tables are left out. */
  readonly without?: string
}

/** A killed service's lock may have to expire first. */
const LOCK_MS = 60_000

const dataDirOf = ({ dataDir }: Config): string => dataDir ?? defaultDataDir()
const urlOf = ({ plugins }: Config) => (plugins.database as { url?: string } | undefined)?.url
const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, () => false)

/** Reports the progress on standard error, table by table. */
function createProgress () {
  const counts = new Map<string, number>()
  return {
    add ({ table, rows }: TableRows): void {
      const before = counts.get(table) ?? 0
      const now = before + rows.length
      counts.set(table, now)
      if (Math.floor(now / 10_000) > Math.floor(before / 10_000)) console.error(`${table}: ${now} rows …`)
    },
    get total () { return [...counts.values()].reduce((sum, count) => sum + count, 0) }
  }
}

/** Writes all records, the configuration and the preferences to one file. The service may be running. */
export async function backup (path: string, options: BackupOptions): Promise<void> {
  const { config: file, codes = false, force = false } = options
  const { config, path: configFile } = await readConfig(file)
  const dataDir = dataDirOf(config)
  const url = urlOf(config)
  const progress = createProgress()
  const { text, left } = await configurationIn(configFile, codes ? undefined : knownOptions())
  const lines = contentsOf({ dataDir, databaseUrl: url, configuration: text, codes, onRows: progress.add })
  await writeBackup(path, { force, lines })
  const what = codes
    ? 'Keep it safe: it holds access codes, tokens and other secrets.'
    : `Access codes and other secrets are left out${left.length === 0 ? '' : `: ${left.join(', ')}`}.`
  const keeps = await isThere(join(dataDir, 'plugins', 'fleet', 'key.pem'))
    ? " The fleet's key stays on this machine: a service that is restored elsewhere makes one of its own."
    : ''
  console.log(`${path} holds ${counted(progress.total, 'row')}, the configuration and preferences. ${what}${keeps}`)
}

async function * tablesIn (path: string): AsyncGenerator<TableRows> {
  for await (const entry of entriesOf(path)) if ('table' in entry) yield entry
}

async function configurationOf (path: string): Promise<string | undefined> {
  for await (const entry of entriesOf(path)) if ('file' in entry && entry.file === CONFIGURATION) return entry.text
  return undefined
}

interface Places { dataDir?: unknown, plugins?: { database?: { url?: unknown } | null } | null }

/** Where a service with the configuration of a backup would look for records, if that is not here. */
function otherPlaces (text: string, { config, path }: ReadConfig): string[] {
  let named: Places | null
  try {
    named = JSON.parse(text)
  } catch {
    return []
  }
  const { dataDir, plugins } = named ?? {}
  const folder = environment().PRN_DATA_DIR || typeof dataDir !== 'string' ? undefined : resolve(dirname(path), dataDir)
  return [
    ...folder === undefined || folder === resolve(dataDirOf(config)) ? [] : [`the data folder ${printable(folder)}`],
    ...plugins?.database?.url === undefined ? [] : ['a PostgreSQL database']
  ]
}

/**
 * The configuration of this machine. Where there is none, that of the backup is going to be used: records must not go
 * where it does not look, nor may a file from elsewhere choose where they go, so a person reads it first.
 */
async function configurationHere (path: string, file: string | undefined): Promise<ReadConfig> {
  const here = configPath(file)
  const text = file !== undefined || await isThere(here) ? undefined : await configurationOf(path)
  if (text === undefined) return await readConfig(file)
  const known = { config: loadConfig({}, environment()), path: here, exists: false }
  const places = otherPlaces(text, known)
  if (places.length === 0) return known
  await writeOwnText(here, text)
  throw new Error(`There was no configuration, so that of the backup was written to ${here}. It names ${places.join(' and ')}. ` +
    'Read it, add the secrets that the backup left out, and restore again: nothing else was restored yet.')
}

const OPENING = ['host', 'trustLan', 'corsOrigins', 'allowedHosts']

/** What a configuration out of a backup opens or runs, which nobody on this machine has written. */
function openedBy (text: string, builtIn: ReadonlySet<string>): string {
  let config: { api?: Record<string, unknown> | null, plugins?: Record<string, unknown> | null } | null
  try {
    config = JSON.parse(text)
  } catch {
    return 'is no JSON'
  }
  const { api, plugins } = { api: config?.api ?? {}, plugins: config?.plugins ?? {} }
  const { clients } = (plugins.relay ?? {}) as { clients?: object }
  return [
    ...Object.keys(plugins).filter(name => !builtIn.has(name)).map(name => `loads the plugin ${printable(name)}`),
    ...OPENING.filter(key => api[key] !== undefined).map(key => `sets api.${key} to ${printable(JSON.stringify(api[key]))}`),
    ...Object.keys(clients ?? {}).length > 0 ? ['lets clients use the relay'] : []
  ].join(', ')
}

/** Only files with known names are restored. @returns what a person should know */
async function restoreFiles (path: string, dataDir: string, configFile: string, builtIn: ReadonlySet<string>):
Promise<string[]> {
  const notes: string[] = []
  for await (const entry of entriesOf(path)) {
    if (!('file' in entry)) continue
    const isConfiguration = entry.file === CONFIGURATION
    if (isConfiguration && await isThere(configFile)) {
      notes.push(`${configFile} is left as it is.`)
      continue
    }
    if (!isConfiguration && ![...FILES, ...CODES].includes(entry.file) && !SETTINGS.test(entry.file)) continue
    const to = isConfiguration ? configFile : join(dataDir, entry.file)
    await writeOwnText(to, entry.text)
    notes.push(`${to} was written.`)
    if (entry.file === RELAY_CLIENTS) notes.push('Its clients may use the relay: see the page Slicer access.')
    if (!isConfiguration) continue
    const opened = openedBy(entry.text, builtIn)
    if (opened !== '') notes.push(`Read it before you start the service: it ${opened}.`)
  }
  return notes
}

/** Other services would go on with what they hold of the replaced records. */
async function checkUnused (url: string | undefined): Promise<void> {
  if (url === undefined || !await isInUse(url)) return
  throw new Error('Another service uses this database. Stop all services that share it, wait ten seconds, and try again.')
}

/** Only plugins of prnd itself are loaded, so the tables of others cannot be made. */
function checkTables (inBackup: readonly string[], builtIn: ReadonlySet<string>, without: readonly string[]): void {
  const others = inBackup.filter(name => !builtIn.has(name) && !without.includes(name))
  if (others.length === 0) return
  throw new Error(`The backup has tables of plugins that are not part of prnd: ${others.map(printable).join(', ')}. They cannot ` +
    `be restored by this command. To leave them out, and lose what they recorded, add --without ${others.map(printable).join(',')}`)
}

/** Replaces all records by a backup. The service must not be running; a failure changes nothing in the database. */
export async function restore (path: string, { config: file, replace = false, without = '' }: RestoreOptions): Promise<void> {
  const { versions, at } = await checkBackup(path)
  const { config, path: configFile } = await configurationHere(path, file)
  const { plugins, ...rest } = config
  const dataDir = dataDirOf(config)
  const progress = createProgress()
  for (const name of [...FILES, ...await settingsIn(dataDir), ...CODES]) await checkReplaceable(join(dataDir, name))
  const lock = await lockFolder(dataDir, timeoutSignal(LOCK_MS))
  try {
    await checkUnused(urlOf(config))
    // All plugins are included, since each has its tables; without printers and options they do nothing else. That of
    // Home Assistant has none, and would remove all printers there.
    const kernel = await createKernel(daemon, {
      ...rest,
      dataDir,
      printers: [],
      log: { file: false },
      plugins: { homeassistant: false, ...plugins.database !== undefined && { database: plugins.database } }
    })
    const builtIn = new Set([...kernel.plugins.keys(), 'homeassistant'])
    checkTables(Object.keys(versions), builtIn, without.split(','))
    try {
      await kernel.start({ listen: false })
      await kernel.services.database.load({ versions, rows: tablesIn(path), replace, onRows: progress.add })
      await kernel.services.rules.stopRestored()
    } finally {
      await kernel.close()
    }
    for (const note of await restoreFiles(path, dataDir, configFile, builtIn)) console.error(note)
  } finally {
    await lock.release()
  }
  console.log(`Restored ${counted(progress.total, 'row')} of ${at}.`)
}

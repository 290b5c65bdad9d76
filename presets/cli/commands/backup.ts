import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkReplaceable, createKernel, defaultDataDir, lockFolder, readConfig, readNamedText, readOwnText, timeoutSignal,
  VERSION, withoutSecrets, writeOwnText, type Config
} from '../../../core/index.js'
import { dumpDatabase, type TableRows } from '../../../plugins/database/index.js'
import daemon from '../../daemon/index.js'
import { checkBackup, entriesOf, FORMAT, writeBackup, type Entry, type Header, type TextFile } from '../backup/file.js'
import { counted } from '../table.js'
import { knownOptions } from '../known-options.js'

interface Options { readonly config?: string }
interface BackupOptions extends Options { readonly codes?: boolean, readonly force?: boolean }
interface RestoreOptions extends Options { readonly replace?: boolean }

const CONFIGURATION = 'config.json'
/** Access codes of printers, secrets of targets for messages, and the password of Home Assistant's broker. */
const CODES = ['secrets/printers.json', 'secrets/messages.json', 'secrets/homeassistant.json']
/**
 * Files of the data folder: preferences, settings, and records that are not in the database yet. The key of a fleet is
 * excluded even with codes: a second machine with it would be taken for the first.
 */
const FILES = [
  'user_prefs.json', 'plugins/history/newest.json', 'plugins/notify/targets.json', 'plugins/homeassistant/broker.json',
  'plugins/database/journal.json'
]
/** Settings of plugins. */
const SETTINGS = /^plugins\/[a-z0-9][a-z0-9-]{0,60}\/settings\.json$/
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

/** The configuration as it is backed up, and the keys that were removed. */
async function configurationOf (path: string, codes: boolean): Promise<{ text: string | undefined, left: string[] }> {
  const text = await readNamedText(path).catch(() => undefined)
  if (text === undefined || codes) return { text, left: [] }
  const { config, left } = withoutSecrets(knownOptions(), JSON.parse(text))
  return { text: `${JSON.stringify(config, null, 2)}\n`, left }
}

/** Names of the files with settings of plugins. */
async function settingsOf (dataDir: string): Promise<string[]> {
  const plugins = await readdir(join(dataDir, 'plugins')).catch(() => [])
  return plugins.map(name => `plugins/${name}/settings.json`).filter(file => SETTINGS.test(file)).sort()
}

async function * filesOf (dataDir: string, configuration: string | undefined, codes: boolean):
AsyncGenerator<TextFile> {
  if (configuration !== undefined) yield { file: CONFIGURATION, text: configuration }
  for (const file of [...FILES, ...await settingsOf(dataDir), ...codes ? CODES : []]) {
    const text = await readOwnText(join(dataDir, file))
    if (text !== undefined) yield { file, text }
  }
}

/** Writes all records, the configuration and the preferences to one file. The service may be running. */
export async function backup (path: string, options: BackupOptions): Promise<void> {
  const { config: file, codes = false, force = false } = options
  const { config, path: configFile } = await readConfig(file)
  const dataDir = dataDirOf(config)
  const url = urlOf(config)
  const folder = join(dataDir, 'plugins', 'database')
  const hasDatabase = url !== undefined || await isThere(join(folder, 'prnd.sqlite'))
  const progress = createProgress()
  const { text, left } = await configurationOf(configFile, codes)
  async function * lines (): AsyncGenerator<Header | Entry> {
    const header = { prn: 'backup', format: FORMAT, version: VERSION, at: new Date().toISOString() } as const
    if (!hasDatabase) yield { ...header, versions: {} }
    else {
      for await (const part of dumpDatabase(url, folder)) {
        if ('versions' in part) yield { ...header, ...part }
        else {
          yield part
          progress.add(part)
        }
      }
    }
    yield * filesOf(dataDir, text, codes)
  }
  await writeBackup(path, { force, lines: lines() })
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

/** Only files with known names are restored. */
async function restoreFiles (path: string, dataDir: string, configFile: string): Promise<string[]> {
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
  }
  return notes
}

/** Replaces all records by a backup. The service must not be running; a failure changes nothing in the database. */
export async function restore (path: string, { config: file, replace = false }: RestoreOptions): Promise<void> {
  const { versions, at } = await checkBackup(path)
  const { config, path: configFile } = await readConfig(file)
  const { plugins, ...rest } = config
  const dataDir = dataDirOf(config)
  const progress = createProgress()
  for (const name of [...FILES, ...await settingsOf(dataDir), ...CODES]) await checkReplaceable(join(dataDir, name))
  const lock = await lockFolder(dataDir, timeoutSignal(LOCK_MS))
  try {
    // All plugins are included, since each has its tables; without printers and options they do nothing else.
    const kernel = await createKernel(daemon, {
      ...rest,
      dataDir,
      printers: [],
      log: { file: false },
      plugins: plugins.database === undefined ? {} : { database: plugins.database }
    })
    try {
      await kernel.start({ listen: false })
      await kernel.services.database.load({ versions, rows: tablesIn(path), replace, onRows: progress.add })
    } finally {
      await kernel.close()
    }
    for (const note of await restoreFiles(path, dataDir, configFile)) console.error(note)
  } finally {
    await lock.release()
  }
  console.log(`Restored ${counted(progress.total, 'row')} of ${at}.`)
}

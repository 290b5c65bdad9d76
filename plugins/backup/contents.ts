import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readNamedText, readOwnText, VERSION, withoutSecrets } from '../../core/index.js'
import { dumpDatabase, type TableRows } from '../database/index.js'
import { FORMAT, type Entry, type Header, type TextFile } from './file.js'

export const CONFIGURATION = 'config.json'
/** Clients of the relay that were added in the browser, with their codes. */
export const RELAY_CLIENTS = 'secrets/relay.json'
/**
 * Access codes of printers and of clients of the relay, secrets of targets for messages, the keys that devices
 * subscribed to, and passwords of brokers, plugs and servers. The root certificate is excluded: its key is to be on one
 * machine.
 */
export const CODES: readonly string[] = [
  'secrets/printers.json', 'secrets/messages.json', 'secrets/push.json', 'secrets/plugs.json', 'secrets/homeassistant.json',
  RELAY_CLIENTS, 'plugins/health-model/remote.json'
]
/**
 * Files of the data folder: preferences, settings, and records that are not in the database yet. The key of a fleet is
 * excluded even with codes: a second machine with it would be taken for the first.
 */
export const FILES: readonly string[] = [
  'user_prefs.json', 'plugins/history/newest.json', 'plugins/notify/targets.json', 'plugins/homeassistant/broker.json',
  'plugins/relay/printers.json', 'plugins/database/journal.json'
]
/** Settings of plugins. */
export const SETTINGS = /^plugins\/[a-z0-9][a-z0-9-]{0,60}\/settings\.json$/

export interface ContentsOptions {
  readonly dataDir: string
  /** Of PostgreSQL; undefined for the file of the data folder. */
  readonly databaseUrl: string | undefined
  /** The configuration as text, with or without secrets; undefined if there is no file. */
  readonly configuration: string | undefined
  /** With access codes and other secrets. */
  readonly codes: boolean
  readonly onRows: (rows: TableRows) => void
}

type Schema = Parameters<typeof withoutSecrets>[0]

/**
 * A configuration file as it is backed up, and the keys that were removed.
 * @param schema of the whole configuration; undefined keeps the secrets
 */
export async function configurationIn (path: string, schema: Schema | undefined):
Promise<{ text: string | undefined, left: string[] }> {
  const text = await readNamedText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined || schema === undefined) return { text, left: [] }
  const { config, left } = withoutSecrets(schema, JSON.parse(text.replace(/^\uFEFF/, ''))) // some editors begin files with it
  return { text: `${JSON.stringify(config, null, 2)}\n`, left }
}

/** Names of the files with settings of plugins. */
export async function settingsIn (dataDir: string): Promise<string[]> {
  const plugins = await readdir(join(dataDir, 'plugins')).catch(() => [])
  return plugins.map(name => `plugins/${name}/settings.json`).filter(file => SETTINGS.test(file)).sort()
}

async function * filesOf ({ dataDir, configuration, codes }: ContentsOptions): AsyncGenerator<TextFile> {
  if (configuration !== undefined) yield { file: CONFIGURATION, text: configuration }
  for (const file of [...FILES, ...await settingsIn(dataDir), ...codes ? CODES : []]) {
    const text = await readOwnText(join(dataDir, file))
    if (text !== undefined) yield { file, text }
  }
}

/** Everything that is backed up: a header, the rows of the database in one moment, and the files. */
export async function * contentsOf (options: ContentsOptions): AsyncGenerator<Header | Entry> {
  const { dataDir, databaseUrl, onRows } = options
  const folder = join(dataDir, 'plugins', 'database')
  const hasDatabase = databaseUrl !== undefined ||
    await stat(join(folder, 'prnd.sqlite')).then(() => true, () => false)
  const header = { prn: 'backup', format: FORMAT, version: VERSION, at: new Date().toISOString() } as const
  if (!hasDatabase) yield { ...header, versions: {} }
  else {
    for await (const part of dumpDatabase(databaseUrl, folder)) {
      if ('versions' in part) yield { ...header, ...part }
      else {
        yield part
        onRows(part)
      }
    }
  }
  yield * filesOf(options)
}

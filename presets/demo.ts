import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defaultDataDir, editConfig, type Config } from '../core/index.js'

type Located = Pick<Config, 'dataDir'>

/** The data folder of demonstrations, without the service's records, rules, plugs, users and receivers of messages. */
export const demoFolder = ({ dataDir }: Located): string => join(dataDir ?? defaultDataDir(), 'demo')

/** What a service stores of a printer: its certificate, or its access code. */
const TRACES = ['certificates.json', join('secrets', 'printers.json')]

/** Whether this data folder was ever used with a real printer. */
export const hasServedPrinters = ({ dataDir }: Located): boolean =>
  TRACES.some(file => existsSync(join(dataDir ?? defaultDataDir(), file)))

/**
 * Options of plugins name real things: a database that other services use, a broker, plugs, receivers of messages. Only
 * what the configuration leaves out stays out.
 */
export function demoConfig (config: Config): Config {
  const { plugins, log: { file }, ...others } = config
  const isLeftOut = ([name, options]: [string, object | false]) => options === false && name !== 'emulator'
  return {
    ...others,
    dataDir: demoFolder(config),
    plugins: Object.fromEntries(Object.entries(plugins).filter(isLeftOut)),
    log: file === false ? { file } : {}
  }
}

/** A file of its own for printers that are added while it runs; the next demonstration begins without them. */
export async function demoFile (config: Config): Promise<string> {
  const file = join(demoFolder(config), 'config.json')
  await editConfig(file, tree => { tree.printers = [] }).catch(() => {}) // whoever stores something there is told
  return file
}

import { join } from 'node:path'
import { BadConfig } from '../errors.js'
import type { PrinterConfig } from '../printer/types.js'
import { openPins, type Pins } from './certificate-pins.js'
import { environment, loadConfig, type Config } from './config.js'
import { configPath, defaultDataDir } from './config-file.js'
import type { KernelDependencies } from './dependencies.js'
import { trustedProxies } from './http-server.js'
import { createLogs, type Logs } from './log.js'
import { configurationSchema, secretsIn } from './marked-secrets.js'
import type { Preset } from './plugin.js'
import { createRedactor } from './redact.js'
import { resolvePrinters } from './resolve-printers.js'
import { openSecrets } from './secrets.js'
import { selectPlugins, type PluginSelection } from './select-plugins.js'
import { openStartRecords } from './start-records.js'
import { takeOverFiles } from './take-over.js'

/** An application that is validated, with its files opened, before any part of it is made. */
export interface Prepared extends PluginSelection {
  readonly config: Config
  readonly configFile: string
  readonly dataDir: string
  readonly trustProxy: ReturnType<typeof trustedProxies>
  readonly printers: readonly PrinterConfig[]
  readonly redactor: ReturnType<typeof createRedactor>
  readonly logs: Logs
  readonly pins: Pins
  readonly starts: Awaited<ReturnType<typeof openStartRecords>>
}

const logPath = ({ log }: Config, dataDir: string): string | undefined =>
  log.file === false ? undefined : log.file ?? join(dataDir, 'prnd.log')

/**
 * Validates the configuration and the plugins, then opens the files of the data folder.
 * @param config the parsed configuration; its secrets may be references
 * @throws PRN_ERR_CONFIG, PRN_ERR_PLUGIN_*, PRN_ERR_DUPLICATE
 */
export async function prepare (
  preset: Preset, config: unknown, dependencies: Partial<KernelDependencies>, warn: (message: string) => void
): Promise<Prepared> {
  const env = environment()
  const checked = loadConfig(config)
  const trustProxy = trustedProxies(checked)
  const configFile = dependencies.configFile ?? configPath(undefined, env)
  const dataDir = checked.dataDir ?? defaultDataDir(env)
  const redactor = createRedactor()
  const selection = await selectPlugins(preset, checked, configFile, dependencies)
  const marked = configurationSchema(selection.resolved.map(({ plugin }) => plugin), selection.contributions.of)
  for (const secret of secretsIn(marked, checked)) redactor.add(secret)
  const unusable = (error: Error): never => {
    throw new BadConfig(`The data folder ${dataDir} cannot be used: ${error.message}`)
  }
  const secrets = await openSecrets(dataDir, warn).catch(unusable)
  const printers = await resolvePrinters(checked.printers, env, secrets)
  for (const { accessCode } of printers) redactor.add(accessCode)
  await takeOverFiles(dataDir, warn)
  const logs = await createLogs({ path: logPath(checked, dataDir), echo: dependencies.logEcho, redactor })
  const pins = await openPins(dataDir, warn).catch(unusable)
  const starts = await openStartRecords(dataDir, warn).catch(unusable)
  return { ...selection, config: checked, configFile, dataDir, trustProxy, printers, redactor, logs, pins, starts }
}

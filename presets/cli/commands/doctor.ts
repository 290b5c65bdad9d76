import {
  BadInput, createKernel, createRedactor, defaultDataDir, definePreset, readConfig, resolveModel, secretsIn, VERSION,
  type Config, type Kernel, type ReadConfig
} from '../../../core/index.js'
import type { ProbeSummary } from '../../../plugins/management/index.js'
import {
  checkAccess, checkConnections, checkDataFolder, checkDecoder, checkFleet, checkFleetProblems, checkPorts,
  checkSlicers, tryConnections
} from '../doctor/machine-checks.js'
import { checkPlugins } from '../doctor/plugins.js'
import { checkPrinterAlone, ownVerdict, type AskVerdict } from '../doctor/printer.js'
import { trySlicers } from '../doctor/try-slicers.js'
import { everyText, redactReport } from '../doctor/redact.js'
import { failed, isHealthy, ok, warning, written, type Check, type PrinterReport, type Report } from '../doctor/report.js'
import { knownOptions } from '../known-options.js'
import { counted } from '../table.js'
import { runningService, type Service } from '../service.js'

interface Options { readonly config?: string, readonly json?: boolean, readonly full?: boolean }
interface Findings { readonly checks: readonly Check[], readonly printers: readonly PrinterReport[] }

const NOTHING = definePreset({ name: 'doctor', plugins: [] })
const MOST_AT_ONCE = 8

/** Parts that are tried out, which takes longer than a look. */
const PARTS: Readonly<Record<string, (config: Config) => Promise<Check[]>>> = { slicers: config => trySlicers(config) }

/** @throws PRN_ERR_BAD_INPUT for a part that the doctor does not know */
function partOf (name: string): (typeof PARTS)[string] {
  const check = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined
  if (check === undefined) throw new BadInput(`The doctor tries out ${Object.keys(PARTS).join(', ')}, not '${name}'`)
  return check
}

/**
 * Checks what may prevent the service from working, and suggests remedies. Exit code 1 means a failed check.
 * @param part is tried out in place of all checks
 */
export default async function doctor (
  part: string | undefined, { config: file, json = false, full = false }: Options
): Promise<void> {
  const check = part === undefined ? undefined : partOf(part)
  const warnings: string[] = []
  const warn = (message: string) => { warnings.push(message) }
  const kernels: Kernel[] = []
  try {
    const found = await (check ? tryOut(check, file, warn) : examine(file, { warn, kernels }))
      .catch((error: Error): Findings => ({ checks: [unusable(error)], printers: [] }))
    const checks = [...found.checks, ...warnings.map(text => warning('warning', text, 'See the guide on configuration.'))]
    const shown = shareable({ checks, printers: found.printers }, kernels[0], full)
    console.log(json ? JSON.stringify(shown, null, 2) : written(shown))
    if (!shown.healthy) process.exitCode = 1
  } finally {
    await Promise.all(kernels.map(kernel => kernel.close()))
  }
}

async function tryOut (check: (typeof PARTS)[string], file: string | undefined, warn: Desk['warn']): Promise<Findings> {
  const { config } = await readConfig(file, { warn })
  return { checks: await check(config), printers: [] }
}

const unusable = ({ message }: Error): Check =>
  failed('configuration', message, 'Correct the file; prnd config path says where it is.')

interface Desk { readonly warn: (message: string) => void, readonly kernels: Kernel[] }

async function examine (file: string | undefined, { warn, kernels }: Desk): Promise<Findings> {
  const known = await readConfig(file, { warn })
  const { config, path, exists } = known
  const dataFolder = await checkDataFolder(config.dataDir ?? defaultDataDir())
  const quiet = { ...config, plugins: {}, log: { file: false } }
  const kernel = await createKernel(NOTHING, quiet, { configFile: path, warn })
  kernels.push(kernel)
  for (const secret of secretsIn(knownOptions(), config)) kernel.maskSecret(secret) // no plugin here masks them
  const { service, check } = await lookForService(known)
  const configs = config.printers.flatMap(({ name }) => kernel.printers.config(name) ?? [])
  const sendsVideo = configs.some(({ serial, model }) => resolveModel(serial, model).camera === 'rtsps')
  const checks = [
    ok('configuration', exists ? `${path}, ${counted(configs.length, 'printer')}` : `${path} does not exist yet; the defaults apply`),
    dataFolder,
    ...(check === undefined ? [] : [check]),
    await checkPorts(config, service?.port),
    checkAccess(config),
    await checkDecoder(config, sendsVideo),
    await checkSlicers(config),
    ...await checkFleet(config),
    ...(service === undefined || !config.plugins.fleet ? [] : await checkFleetProblems(service)),
    ...await (service === undefined ? tryConnections(config) : checkConnections(service)),
    ...await checkPlugins(known, service)
  ]
  const ask = service === undefined ? ownVerdict(kernel) : askOf(service)
  const printers: PrinterReport[] = []
  for (let at = 0; at < configs.length; at += MOST_AT_ONCE) {
    const some = configs.slice(at, at + MOST_AT_ONCE)
    printers.push(...await Promise.all(some.map(printer => checkPrinterAlone(printer, kernel, ask))))
  }
  return { checks, printers }
}

/** Uses a running service, because printers accept only a few connections. */
const askOf = (service: Service): AskVerdict => name => service.act<ProbeSummary>('test', { name, accept: false }, () => {})

interface Found { readonly service?: Service | undefined, readonly check?: Check }

async function lookForService (known: ReadConfig): Promise<Found> {
  try {
    return { service: await runningService(known) }
  } catch (error) {
    return { check: warning('service', (error as Error).message, 'If it is yours, stop it or use its token; otherwise ignore it.') }
  }
}

function shareable ({ checks, printers }: Findings, kernel: Kernel | undefined, full: boolean): Report {
  const toShow = redactReport({
    serials: printers.map(({ serial }) => serial),
    hosts: full ? [] : printers.map(({ host }) => host),
    redact: kernel?.redact ?? createRedactor().text
  })
  const { node } = process.versions
  const platform = `${process.platform} ${process.arch}`
  return {
    prnd: VERSION, node, platform, healthy: isHealthy({ checks, printers }), ...everyText({ checks, printers }, toShow)
  }
}

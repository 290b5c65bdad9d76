import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import {
  createKernel, environment, readConfig, ShuttingDown, startSkipping, type Config, type Kernel, type Preset,
  type SkippedPlugin
} from '../../core/index.js'
import { demoConfig, demoFile } from '../demo.js'
import daemon from './index.js'
import { baseAddress, portNote } from '../address.js'
import { isManaged } from '../managed.js'

export interface RunOptions {
  /** Path of the configuration file. */
  readonly config?: string | undefined
  readonly preset?: Preset
  /** Ignore the configured printers: the preset brings its own, with these names. */
  readonly only?: readonly string[] | undefined
  /** Use a data folder of its own and no options of plugins: nothing real is touched. */
  readonly isDemo?: boolean | undefined
  /** Skip the plugins that the configuration adds. */
  readonly safe?: boolean | undefined
  /** A line to print before the addresses. */
  readonly hint?: string | undefined
  /** Final changes to the configuration, for an application with its own settings. */
  readonly adapt?: (config: Config) => Config
  /** Prints the addresses instead of the daemon's own lines. */
  readonly announce?: (kernel: Kernel, say: (line: string) => void) => void
}

/**
 * Compacts memory more often, for a process that runs for months. As an option of Node at the start, this would also
 * reduce the space for young objects, which costs far more than it saves.
 */
const closeGaps = () => setFlagsFromString('--optimize-for-size')

const warn = (message: string) => { process.stderr.write(`Warning: ${message}\n`) }

/** Reads the configuration, starts the service, and stops it on a signal, even during startup. */
export async function runDaemon (options: RunOptions = {}): Promise<Kernel> {
  closeGaps()
  let kernel = undefined as Kernel | undefined
  /** A signal arrived, or an uncaught error. */
  let isStopped = false
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    isStopped = true
    if (err) reportCrash(err, kernel)
    await kernel?.close()
  })
  try {
    kernel = await startSkipping(async skipped => {
      if (isStopped) throw new ShuttingDown()
      kernel = await prepare(options, skipped)
      return kernel
    })
  } catch (error) {
    if (isStopped && kernel !== undefined) return kernel
    throw error
  }
  if (options.hint !== undefined) console.log(options.hint)
  const { announce: print = announce } = options
  print(kernel, console.log)
  return kernel
}

async function prepare (options: RunOptions, skipped: readonly SkippedPlugin[]): Promise<Kernel> {
  const { config: file, preset = daemon, only, isDemo = false, safe = false, adapt = config => config } = options
  const { config: real, path } = await readConfig(file, { warn })
  const config = isDemo ? demoConfig(real) : real
  return await createKernel(preset, strictly(adapt(only === undefined ? config : withoutPrinters(config, only))), {
    configFile: isDemo ? await demoFile(real) : path,
    logEcho: await terminalLog(),
    warn,
    skipped,
    safe
  })
}

/**
 * The configured default printer is removed with the configured printers. One in the environment may be a printer of
 * the preset; any other is ignored with a warning, since all requests without a name would fail.
 */
function withoutPrinters (config: Config, names: readonly string[]): Config {
  const { defaultPrinter: _itsDefault, ...others } = config
  const wanted = environment().PRN_API_PRINTER?.trim() ?? ''
  const chosen = names.find(name => name.toLowerCase() === wanted.toLowerCase())
  if (wanted !== '' && chosen === undefined) {
    warn(`PRN_API_PRINTER='${wanted}' is no virtual printer (${names.join(', ')}); it is ignored`)
  }
  return { ...others, printers: [], ...(chosen !== undefined && { defaultPrinter: chosen }) }
}

/** If no one sees the output, only the requested port may be used. */
const strictly = (config: Config): Config =>
  ({ ...config, ports: { ...config.ports, strict: config.ports.strict ?? isManaged({ env: environment() }) } })

function reportCrash (err: Error, kernel: Kernel | undefined): void {
  if (kernel) kernel.logs.root.fatal({ err }, 'the process ends because of an unforeseen error')
  else process.stderr.write(`${err.stack ?? err.message}\n`)
}

/** Errors also go to the terminal, formatted if it is interactive. */
async function terminalLog (): Promise<NodeJS.WritableStream> {
  if (!process.stderr.isTTY) return process.stderr
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, ignore: 'pid,hostname', sync: true })
}

const isLocalHost = (host: string) => ['127.0.0.1', 'localhost', '::1'].includes(host)

function announce (kernel: Kernel, say: (line: string) => void): void {
  const { apiPort, version, config: { api }, printers: { names } } = kernel
  const at = baseAddress(kernel)
  const note = portNote(kernel)
  const count = names.length === 1 ? '1 printer' : `${names.length} printers`
  say(`prnd ${version}, ${count}${names.length === 0 ? '' : `: ${names.join(', ')}`}`)
  if (note !== undefined) say(note)
  say(`  Page  ${at}/`)
  say(`  API   ${at}/api`)
  say(`  Docs  ${at}/api/docs`)
  say(`  MCP   ${at}/mcp`)
  if (kernel.plugins.has('https') && !isLocalHost(api.host)) say(`  HTTPS ${at}/encryption says how other devices use it`)
  if (api.token !== undefined) say(`  Login ${at}/login, with the token of the configuration`)
  if (api.token === undefined && !isLocalHost(api.host)) {
    say(`Anyone who reaches ${api.host}:${apiPort} can control the printers: set PRN_API_HOST=127.0.0.1 or PRN_API_TOKEN ` +
      'to prevent that.')
  }
}

import closeWithGrace from 'close-with-grace'
import { createKernel, readConfig, type Kernel, type Preset } from '../../core/index.js'
import daemon from './index.js'

export interface RunOptions {
  /** Path of the configuration file. */
  readonly config?: string | undefined
  readonly preset?: Preset
  /** Leave the configured printers alone: the preset brings its own. */
  readonly only?: boolean
  /** A line to print before the addresses. */
  readonly hint?: string | undefined
}

const warn = (message: string) => { process.stderr.write(`Warning: ${message}\n`) }

/** Reads the configuration, starts the service, and ends it on a signal. */
export async function runDaemon (options: RunOptions = {}): Promise<Kernel> {
  const { preset = daemon, only = false, hint } = options
  const { config, path } = await readConfig(options.config, { warn })
  const kernel = await createKernel(preset, only ? { ...config, printers: [] } : config, {
    configFile: path,
    logEcho: await terminalLog(),
    warn
  })
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) kernel.logs.root.fatal({ err }, 'the process ends because of an unforeseen error')
    await kernel.close()
  })
  await kernel.start()
  if (hint !== undefined) console.log(hint)
  announce(kernel, console.log)
  return kernel
}

/** Errors go to the terminal too, readable where somebody reads them. */
async function terminalLog (): Promise<NodeJS.WritableStream> {
  if (!process.stderr.isTTY) return process.stderr
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, ignore: 'pid,hostname', sync: true })
}

function announce (kernel: Kernel, say: (line: string) => void): void {
  const { apiPort, version, config: { api }, printers: { names } } = kernel
  const at = `http://localhost:${apiPort}`
  say(`prn ${version}, ${names.length === 1 ? '1 printer' : `${names.length} printers`}: ${names.join(', ')}`)
  say(`  API   ${at}/api`)
  say(`  Docs  ${at}/api/docs`)
  say(`  MCP   ${at}/mcp`)
  if (api.token === undefined && api.host !== '127.0.0.1' && api.host !== 'localhost' && api.host !== '::1') {
    say(`Anyone who reaches ${api.host}:${apiPort} can control the printers: set PRN_API_HOST=127.0.0.1 or PRN_API_TOKEN to prevent that.`)
  }
}

import closeWithGrace from 'close-with-grace'
import { createKernel, readConfig, type Kernel, type Preset, type PrinterEntry } from '../../core/index.js'
import daemon from './index.js'

export interface RunOptions {
  /** Path of the configuration file. */
  readonly config?: string | undefined
  readonly preset?: Preset
  /** Printers beside those of the configuration. */
  readonly printers?: readonly PrinterEntry[]
  /** Instead of the configured printers, not beside them. */
  readonly only?: boolean
  /** Runs before the process ends. */
  readonly onClose?: () => Promise<void>
  readonly say?: (line: string) => void
}

const warn = (message: string) => { process.stderr.write(`Warning: ${message}\n`) }

/** Reads the configuration, starts the service, and ends it on a signal. */
export async function runDaemon (options: RunOptions = {}): Promise<Kernel> {
  const { preset = daemon, printers = [], only = false, say = console.log } = options
  const { config, path } = await readConfig(options.config, { warn })
  const kernel = await createKernel(preset, { ...config, printers: [...(only ? [] : config.printers), ...printers] }, {
    configFile: path,
    logEcho: await terminalLog(),
    warn
  })
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) kernel.logs.root.fatal({ err }, 'the process ends because of an unforeseen error')
    await kernel.close()
    await options.onClose?.()
  })
  await kernel.start()
  announce(kernel, say)
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

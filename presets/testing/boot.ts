import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createKernel, definePreset, startSkipping, type KernelDependencies, type Kernel, type PluginEntry, type Preset,
  type PrinterEntry
} from '../../core/index.js'
import {
  createVirtualPrinter, type ManualClock, type ModelName, type VirtualPrinter, type VirtualPrinterOptions
} from '../../plugins/emulator/index.js'
import { askTool, connectClient, type McpClient, type ToolAnswer } from '../../plugins/mcp/index.js'
import daemon from '../daemon/index.js'
import { eventually } from './eventually.js'
import { ask, type Fields, type HttpAnswer, type HttpMethod } from './http-request.js'

export interface BootOptions {
  /**
   * Virtual printers to start and configure, named by their model in lower case unless given. Their cameras send
   * pictures of 320 by 180 pixels unless `camera` gives a size. @default an X1C
   */
  readonly models?: readonly (ModelName | VirtualPrinterOptions)[]
  /** The application. @default the daemon */
  readonly preset?: Preset
  /** Plugins to add: your plugin, or `[yourPlugin, options]`. */
  readonly plugins?: PluginEntry
  /** Additional configuration. Data are stored in a folder that `close` removes, unless `dataDir` is set. */
  readonly config?: Fields
  readonly dependencies?: Partial<KernelDependencies>
  /** The clock of the service and the virtual printers. @default real time */
  readonly clock?: ManualClock
  /** Listen on a port instead of only handling injected requests. @default false */
  readonly listen?: boolean
  /** Wait until every printer's first report has arrived. @default true */
  readonly wait?: boolean
}

/** A service over virtual printers. */
export interface Booted {
  readonly kernel: Kernel
  readonly printers: readonly VirtualPrinter[]
  /** The first printer and the name of its session. */
  readonly printer: VirtualPrinter
  readonly name: string
  /** Calls a route; `params` go into the query of a GET or DELETE and into a JSON body otherwise. */
  http (method: HttpMethod, path: string, params?: Fields): Promise<HttpAnswer>
  /** Calls a tool through the official client. */
  tool (name: string, args?: Fields): Promise<ToolAnswer>
  readonly client: McpClient
  /** Ends client, service and printers, in any state; call it even if the test fails. */
  close (): Promise<void>
}

const FIRST_REPORTS_MS = 20_000

const entryOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter): PrinterEntry => ({
  name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint }
})

const nameOf = (model: ModelName) => model.toLowerCase().replaceAll('_', '-')

/** A test rarely looks at a picture, and drawing and encoding one of full size takes most of its time. */
const SMALL = { width: 320, height: 180 }

function printerOf (model: ModelName | VirtualPrinterOptions, clock: ManualClock | undefined): VirtualPrinter {
  const options = typeof model === 'string' ? { model } : model
  const camera = { ...SMALL, ...options.camera }
  return createVirtualPrinter({ name: nameOf(options.model), ...(clock && { clock }), ...options, camera })
}

/** Runs cleanups in reverse order. */
function createEnd () {
  const steps: (() => unknown)[] = []
  let ending: Promise<void> | undefined
  const run = async () => { for (const step of steps.reverse()) await step() }
  return {
    add (step: () => unknown) { steps.push(step) },
    close: () => (ending ??= run())
  }
}

/** Starts virtual printers and a service that uses them. A failed start cleans up after itself. */
export async function boot (options: BootOptions = {}): Promise<Booted> {
  const end = createEnd()
  try {
    return await begin(options, end)
  } catch (error) {
    await end.close()
    throw error
  }
}

async function begin (options: BootOptions, end: ReturnType<typeof createEnd>): Promise<Booted> {
  const { models = ['X1C'], config = {}, clock, listen = false, wait = true } = options
  const printers = models.map(model => printerOf(model, clock))
  end.add(() => Promise.all(printers.map(printer => printer.stop())))
  await Promise.all(printers.map(printer => printer.start()))
  const dataDir = config.dataDir as string | undefined ?? await folder(end)
  const kernel = await startSkipping(skipped => createKernel(presetOf(options), {
    log: { file: false },
    printers: printers.map(entryOf),
    ...config,
    dataDir
  }, {
    configFile: join(dataDir, 'config.json'), // never the configuration of the user who runs the tests
    strictOutputs: true,
    ...(clock && { now: clock.now }),
    ...options.dependencies,
    skipped
  }), { listen })
  end.add(() => kernel.close())
  const isLive = ({ name }: VirtualPrinter) => kernel.printers.get(name)?.live === true
  if (wait) await eventually(() => printers.every(isLive), FIRST_REPORTS_MS)
  const client = await connectClient(kernel)
  end.add(() => client.close())
  return {
    kernel,
    printers,
    get printer () { return first(printers) },
    get name () { return first(printers).name },
    http: (method, path, params) => ask(kernel, method, path, params),
    tool: (name, args) => askTool(client, name, args),
    client,
    close: end.close
  }
}

const presetOf = ({ preset = daemon, plugins }: BootOptions): Preset =>
  definePreset({ name: preset.name, plugins: [preset.plugins, plugins] })

async function folder (end: ReturnType<typeof createEnd>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'prnd-test-'))
  end.add(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
  return path
}

function first (printers: readonly VirtualPrinter[]): VirtualPrinter {
  const [printer] = printers
  if (!printer) throw new Error('this test has no printer')
  return printer
}

import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import {
  BadInput, createKernel, definePreset, closestMatch, openPrinterConfigStore, readConfig, type Kernel,
  type PrinterEntry, type ReadConfig, type Config
} from '../../../core/index.js'
import {
  configFor, describeProbe, readPrinterList, verifyPrinter, type Candidate, type Listed, type ProbeSummary
} from '../../../plugins/management/index.js'
import { readAccessCode, type CodeOptions } from '../access-code.js'
import { hasColours, table, type Tone } from '../table.js'
import { runningService } from '../service.js'

interface Options { readonly config?: string }

const NOTHING = definePreset({ name: 'printers', plugins: [] })

/** Progress goes to standard error, so that scripts only read the result. */
const step = (message: string) => { console.error(`${message} …`) }

const read = async ({ config }: Options): Promise<ReadConfig> =>
  await readConfig(config, { warn: message => console.error(`Warning: ${message}`) })

/** A kernel that is not started: it has the configuration but no connections. */
async function withKernel<T> ({ config, path }: ReadConfig, printers: readonly PrinterEntry[],
  work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const kernel = await createKernel(NOTHING, { ...config, printers, plugins: {}, log: { file: false } }, {
    configFile: path,
    warn: message => console.error(`Warning: ${message}`)
  })
  try {
    return await work(kernel)
  } finally {
    await kernel.close()
  }
}

function entryOf ({ config: { printers } }: ReadConfig, name: string): PrinterEntry {
  const entry = printers.find(printer => printer.name === name)
  if (entry) return entry
  const close = closestMatch(name, printers.map(printer => printer.name))
  const hint = close === undefined ? '' : `; did you mean '${close}'?`
  throw new BadInput(`There is no printer '${name}' in the configuration${hint}`)
}

interface Sessions {
  readonly printers: readonly { name: string, service_state: string | null, problem?: { code: string } }[]
}

const TONES: Readonly<Record<string, Tone>> = { CONNECTED: 'good', PAUSED: 'plain', 'no session': 'warn', '': 'plain' }

export async function list (options: Options & { json?: boolean }): Promise<void> {
  const known = await read(options)
  const { config: { printers }, path } = known
  const service = await runningService(known)
  const states = new Map((await service?.get<Sessions>('/api/printers'))?.printers
    .map(({ name, service_state: state, problem }) => [name, problem?.code ?? state ?? 'no session']))
  const listed = printers.map(({ name, host, serial }) => ({ name, host, serial, state: states.get(name) ?? '' }))
  if (options.json === true) return console.log(JSON.stringify({ configFile: path, printers: listed }, null, 2))
  if (printers.length === 0) return console.log(`No printer is configured in ${path}.`)
  const rows = listed.map(({ name, host, serial, state }) => [name, host, serial, { text: state, tone: TONES[state] ?? 'bad' }])
  for (const line of table(rows, hasColours())) console.log(line)
}

/** Connects once and reports the result; a running service is asked instead, because it has the session. */
export async function test (name: string, options: Options & { acceptCertificate?: boolean }): Promise<void> {
  const known = await read(options)
  const entry = entryOf(known, name)
  const accept = options.acceptCertificate === true
  const service = await runningService(known)
  const { good, lines } = service === undefined
    ? await probe(entry, known.config, accept)
    : await service.act<ProbeSummary>('test', { name, accept }, step)
  for (const line of lines) console.log(line)
  if (!good) process.exitCode = 1
}

export interface AddOptions extends Options, CodeOptions {
  readonly host: string
  readonly serial: string
  readonly mqttPort?: number
  readonly ftpsPort?: number
  readonly cameraPort?: number
  readonly rtspsPort?: number
}

/** Saving succeeded, so the exit code is 0 even for an unreachable printer; `printers test` fails in that case. */
function added (name: string, path: string, problem: string | undefined): void {
  console.log(`Printer '${name}' added to ${path}.`)
  if (problem !== undefined) console.error(`Warning: the printer was saved but cannot be reached now: ${problem}`)
}

/** @returns why the service could not connect to a printer that it stored @throws any other error */
function storedOffline (error: Error & { code?: unknown }): string {
  if (error.code !== 'PRN_ERR_SAVED_OFFLINE') throw error
  return error.message
}

/** Tests the printer and stores it; a running service does this and starts its session. */
export async function add (name: string, options: AddOptions): Promise<void> {
  const known = await read(options)
  const { host, serial, mqttPort, ftpsPort, cameraPort, rtspsPort } = options
  const accessCode = await readAccessCode(options)
  const ports = Object.fromEntries(Object.entries({ ftps: ftpsPort, camera: cameraPort, rtsps: rtspsPort })
    .filter(([, port]) => port !== undefined)) as NonNullable<Candidate['ports']>
  const candidate: Candidate = {
    name,
    host,
    serial,
    accessCode,
    ...(mqttPort !== undefined && { mqttPort }),
    ...(Object.keys(ports).length > 0 && { ports })
  }
  const service = await runningService(known)
  if (service !== undefined) {
    const offline = await service.act('add', candidate, step).then(() => undefined, storedOffline)
    if (offline === undefined) console.log(`Printer '${name}' added; the service on port ${service.port} is connected to it.`)
    else added(name, known.path, offline)
    return
  }
  await withKernel(known, known.config.printers, async kernel => {
    const contact = await verifyPrinter(kernel, configFor(kernel, candidate), candidate, {
      signal: kernel.signal,
      progress: (_done, _total, message = '') => step(message)
    })
    added(name, known.path, contact.good ? undefined : contact.message)
  })
}

/** Adds all printers of a list, one after the other. A refused one does not stop the others. */
export async function importList (file: string, options: Options): Promise<void> {
  const known = await read(options)
  const printers = readPrinterList(await textOf(file), known.config.printers)
  const service = await runningService(known)
  const addEach = async (addOne: (printer: Listed) => Promise<string | undefined>) => {
    let refused = 0
    for (const printer of printers) {
      console.error(`${printer.name} …`)
      try {
        const problem = await addOne(printer)
        console.log(problem === undefined ? `${printer.name}: added` : `${printer.name}: added, but cannot be reached now: ${problem}`)
      } catch (error) {
        refused++
        console.log(`${printer.name}: not added: ${(error as Error).message}`)
      }
    }
    console.log(`${printers.length - refused} of ${printers.length} added. The list holds access codes: keep it safe, or delete it.`)
    if (refused > 0) process.exitCode = 1
  }
  if (service !== undefined) {
    await addEach(printer => service.act('add', printer, () => {}).then(() => undefined, storedOffline))
    return
  }
  await withKernel(known, known.config.printers, kernel => addEach(async printer => {
    const contact = await verifyPrinter(kernel, configFor(kernel, printer), printer,
      { signal: kernel.signal, progress: () => {} })
    return contact.good ? undefined : contact.message
  }))
}

const textOf = async (file: string): Promise<string> => {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new BadInput(`The list cannot be read: ${(error as Error).message}`)
  }
}

export async function remove (name: string, options: Options): Promise<void> {
  const known = await read(options)
  const entry = entryOf(known, name)
  const service = await runningService(known)
  if (service !== undefined) await service.act('remove', { name }, step)
  else {
    await withKernel(known, [], async kernel => {
      await kernel.pins.drop(entry.serial.trim().toUpperCase())
      await openPrinterConfigStore(known.path, kernel.dataDir, step).erase(name)
    })
  }
  console.log(`Printer '${name}' removed and its access code erased.`)
}

/** Login and first report take a second or two; this is the limit for a silent printer. */
const REPORT_WITHIN_MS = 15_000

/** Opens one session, waits for its first report, and summarises the result. */
async function probe (entry: PrinterEntry, config: Config, acceptCertificate: boolean): Promise<ProbeSummary> {
  const kernel = await createKernel(definePreset({ name: 'probe', plugins: [] }),
    { ...config, printers: [entry], plugins: {}, log: { file: false } })
  const { serial } = kernel.printers.config(entry.name) ?? entry
  if (acceptCertificate) await kernel.pins.drop(serial)
  await kernel.start({ listen: false })
  const session = kernel.printers.resolve(entry.name)
  const deadline = Date.now() + REPORT_WITHIN_MS
  while (!session.live && Date.now() < deadline && session.problem === undefined) await nap(50)
  const verdict = await describeProbe(session)
  await kernel.close()
  return verdict
}

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { printerPorts } from '../../helpers/ports.js'
import { make3mf } from '../../plugins/projects/make-3mf.js'
import { countRecorded, differences } from './history.js'
import { countFinished, countOf, keepLedger, twice, type Ledger } from './ledger.js'
import { createPeople } from './people.js'
import { miscounted, type Run } from './runs.js'
import { createService, type Service } from './service.js'

export interface Day {
  readonly printers: number
  readonly jobs: number
  readonly kills: number
  readonly seed: number
  /** Of PostgreSQL; left out: SQLite. */
  readonly database?: string | undefined
  /** Services over one database; more than one needs PostgreSQL. @default 1 */
  readonly services?: number
}

export interface Result {
  /** Copies. */
  readonly asked: number
  /** As the printers did. */
  readonly printed: number
  /** As the queue says. */
  readonly counted: number
  /** As the history says. */
  readonly recorded: number
  readonly failed: number
  readonly cancelled: number
  /** Of people, from the printers' screens. */
  readonly own: number
  readonly wrongJobs: readonly string[]
  /** What began on a plate that was not cleared. */
  readonly onUsedPlate: readonly string[]
  /** What a printer was told to start more than once. */
  readonly toldTwice: readonly string[]
  /** Where queue or record tell another story than the printers. */
  readonly differences: readonly string[]
  readonly kills: number
  readonly vanished: number
  readonly cancelledHere: number
  readonly cancelledThere: number
  /** Copies of which only a person could say what became of them. */
  readonly unknown: number
  readonly seconds: number
}

interface Job {
  readonly id: string
  readonly state: string
  readonly copies: number
  readonly finished: number
  readonly runs: readonly Run[]
}

const LONGEST_MS = 60 * 60_000
const LOOK_EVERY_MS = 25
const ROUND_MS = 150
const FAILING = 0.06

/** Numbers that are the same for one seed. */
function dice (seed: number) {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

const FILE = make3mf([{
  number: 1,
  filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
  metadata: { printer_model_id: 'BL-P001', nozzle_diameters: '0.4', prediction: '600', weight: '1' }
}])

const ledgerOf = async (at: number, random: () => number): Promise<Ledger> => keepLedger(createVirtualPrinter({
  model: 'X1C',
  name: `x${at + 1}`,
  serial: `00M00A${String(at).padStart(9, '0')}`,
  ports: await printerPorts(),
  speed: 600,
  reportEveryMs: 100,
  resolveJob: () => ({ layers: 20, minutes: 3 + random() * 9, end: random() < FAILING ? 'fail' : 'finish' })
}))

async function startServices (
  { services = 1, database }: Day, folder: string, ledgers: readonly Ledger[], started: Service[]
): Promise<void> {
  const printers = ledgers.map(({ printer: { name, host, serial, accessCode, ports, fingerprint } }) =>
    ({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }))
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify({
    printers, log: { file: false }, plugins: { ...(database !== undefined && { database: { url: database } }) }
  }))
  for (let at = 0; at < services; at++) {
    const data = join(folder, `data${at}`)
    await mkdir(data)
    const service = createService(data, config)
    started.push(service)
    await service.start()
    await service.ask('POST', '/api/queue/files?filename=part.gcode.3mf', new Uint8Array(FILE))
  }
}

/** The day itself. @throws Error when the jobs are not done in time */
async function run (day: Day, farm: Farm, say: (text: string) => void) {
  const { ledgers, services, random } = farm
  const [first] = services
  if (!first) throw new RangeError('a farm needs a service')
  const begun = performance.now()
  let down: Service | undefined
  const service = () => services.find(other => other !== down) ?? first
  const people = createPeople({ ledgers, service, random })
  const vanishing: Promise<void>[] = []
  let kills = 0

  const jobs: string[] = []
  for (let at = 0; at < day.jobs; at++) {
    const { id } = await first.ask<Job>('POST', '/api/queue', {
      file: 'part.gcode.3mf',
      copies: 1 + Number(random() < 0.1),
      job_name: `job${at}`,
      retries: 10,
      priority: Math.floor(random() * 3)
    })
    jobs.push(id)
  }
  const read = () => Promise.all(jobs.map(id => service().ask<Job>('GET', `/api/queue/jobs/${id}`)))

  async function kill (): Promise<void> {
    down = services[kills++ % services.length]
    await sleep(random() * 300)
    await down?.end('SIGKILL')
    ledgers.forEach(({ note }) => note('killed'))
    say(`killed ${kills}`)
    await sleep(random() * 1_500)
    await down?.start()
    ledgers.forEach(({ note }) => note('service is back'))
    down = undefined
  }

  async function oneRound (): Promise<void> {
    await people.clearPlates()
    const happens = (perPrinter: number): boolean => random() < perPrinter * ledgers.length
    if (happens(0.012)) vanishing.push(people.vanish())
    if (happens(0.004)) await people.cancelHere()
    if (happens(0.004)) people.cancelThere()
    if (happens(0.012)) people.printOwn()
  }

  /** What is left to do. Copies that somebody cancelled, or that failed everywhere, are wanted all the same. */
  async function review (): Promise<number> {
    const all = await read()
    const ended = all.filter(({ state }) => ['failed', 'cancelled', 'blocked'].includes(state))
    for (const { id } of ended) await service().ask('PATCH', `/api/queue/jobs/${id}`, { act: 'retry' })
    return all.filter(({ state }) => state !== 'done').length
  }

  const killAt = Array.from({ length: day.kills }, () => random() * 0.9).sort()
  for (let round = 1, left = jobs.length; left > 0; round++) {
    if (performance.now() - begun > LONGEST_MS) throw new Error(`${left} jobs were not done in time`)
    // While a service is down, nobody can tell it anything.
    await oneRound().catch((error: Error) => say(error.message))
    await sleep(ROUND_MS)
    if (countFinished(ledgers) / day.jobs >= (killAt[kills] ?? Infinity)) await kill()
    if (round % 10 === 0) left = await review().catch(() => left)
    if (round % 50 === 0) say(`${left} jobs left`)
  }
  await Promise.all(vanishing)
  while (ledgers.some(({ isBusy }) => isBusy)) await sleep(LOOK_EVERY_MS)
  const found = await settled(() => differences(first, ledgers))
  const ended = await read()
  return {
    ended,
    counts: { kills, ...people.counts, recorded: await countRecorded(first) },
    differences: [...miscounted(ended.flatMap(({ runs }) => runs), ledgers), ...found]
  }
}

interface Farm {
  readonly ledgers: readonly Ledger[]
  readonly services: readonly Service[]
  readonly random: () => number
}

/** @throws Error when the jobs are not done in time */
export async function farmDay (day: Day, say: (text: string) => void = () => {}): Promise<Result> {
  const begun = performance.now()
  const random = dice(day.seed)
  const folder = await mkdtemp(join(tmpdir(), 'prnd-farm-'))
  const ledgers: Ledger[] = []
  for (let at = 0; at < day.printers; at++) ledgers.push(await ledgerOf(at, random))
  await Promise.all(ledgers.map(({ printer }) => printer.start()))
  const services: Service[] = []
  const watching = setInterval(() => ledgers.forEach(({ look }) => look()), LOOK_EVERY_MS)
  try {
    await startServices(day, folder, ledgers, services)
    const { ended, counts, differences } = await run(day, { ledgers, services, random }, say)
    for (const { notes, onUsedPlate, printer } of ledgers) {
      if (onUsedPlate.length > 0 || differences.some(text => text.startsWith(`${printer.name} `))) notes.forEach(say)
    }
    return {
      asked: ended.reduce((total, { copies }) => total + copies, 0),
      printed: countFinished(ledgers),
      counted: ended.reduce((total, { finished }) => total + finished, 0),
      failed: countOf(ledgers, 'failed'),
      cancelled: countOf(ledgers, 'cancelled'),
      ...counts,
      wrongJobs: ended.filter(({ copies, finished }) => copies !== finished).map(({ id }) => id),
      onUsedPlate: ledgers.flatMap(({ onUsedPlate }) => onUsedPlate),
      toldTwice: ledgers.flatMap(({ told }) => twice(told)),
      differences,
      seconds: Math.round((performance.now() - begun) / 1000)
    }
  } finally {
    clearInterval(watching)
    await Promise.all(services.map(service => service.end('SIGTERM')))
    await Promise.all(ledgers.map(({ printer }) => printer.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Records follow reports: what differs at first may be on its way. */
async function settled (look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (let tries = 0; found.length > 0 && tries < 100; tries++) {
    await sleep(100)
    found = await look()
  }
  return found
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { differences } from '../farm/history.js'
import { countFinished } from '../farm/ledger.js'
import { resultOf, miscounted, type Run } from '../farm/runs.js'
import {
  lostOrTwice, oneAct, onUsedPlates, toldTwice, unbalanced, untrueMornings, withoutOneReason, wrongPowerCuts,
  type Balance, type JobOutcome, type Morning
} from './judge.js'
import { createPeople } from './people.js'
import { readLogged, readMorning, readNoted, readPrintEnergy, readPrints, readUse } from './records.js'
import { setUp, type Begun, type Size } from './set-up.js'
import { createWorld, type World } from './world.js'

type Body = any

interface Job {
  readonly id: string
  readonly state: string
  readonly copies: number
  readonly finished: number
  readonly runs: readonly Run[]
}

const LONGEST_MS = 40 * 60_000
const ROUND_MS = 150
const SETTLE_MS = 20_000
const HOUR_MS = 3_600_000
/** Commands of one act, by the clock of the service. */
const TOGETHER_REAL_MS = 350
const WITHIN_REAL_MS = 8_000

interface Trouble { readonly at: number, readonly kind: 'kill' | 'broker' | 'database' | 'killed without database' }

/** What goes wrong, by how much is printed. */
function troubles ({ kills, outages }: Size, random: () => number): Trouble[] {
  const times = (count: number, kind: Trouble['kind']): Trouble[] =>
    Array.from({ length: count }, () => ({ at: 0.02 + random() * 0.9, kind }))
  const outs = [...times(outages, 'broker'), ...times(outages, 'database')]
  return [...times(kills - 1, 'kill'), ...outs, ...times(1, 'killed without database')].sort((a, b) => a.at - b.at)
}

async function happen (world: World, kind: Trouble['kind'], kills: number[]): Promise<void> {
  const { service, broker, database, random, machines, clock } = world
  machines.forEach(({ ledger }) => ledger.note(kind))
  if (kind === 'broker') {
    await broker.stop()
    await sleep(1_000 + random() * 2_000)
    return await broker.start()
  }
  if (kind !== 'kill') await database.stop()
  if (kind === 'database') await sleep(1_000 + random() * 2_000)
  if (kind !== 'database') {
    await sleep(random() * 300)
    kills.push(clock.now())
    await service.end('SIGKILL')
    await sleep(random() * 1_000)
    await service.start()
  }
  if (kind !== 'kill') await database.start()
}

/** Why nothing goes on, for whoever reads the output of a week that stands still. */
async function tellWhy ({ ask }: World['service'], say: (text: string) => void): Promise<void> {
  const { jobs, printers } = await ask<Body>('GET', '/api/queue?limit=2')
  say(JSON.stringify(jobs.map(({ reason, printers: rows }: Body) => [reason, ...rows.map((row: Body) => row.reason)])))
  say(JSON.stringify(printers.map(({ printer, plate, reason, job }: Body) => [printer, plate, reason, job])))
  const { plugs } = await ask<Body>('GET', '/api/energy')
  say(JSON.stringify(plugs.map(({ name, is_on: isOn, stays }: Body) => [name, isOn, stays?.text])))
}

/** Lives through the week. @returns when the service was killed */
async function live (world: World, size: Size, { jobs, ejecting }: Begun, say: (text: string) => void) {
  const { machines, service, random } = world
  const ledgers = machines.map(({ ledger }) => ledger)
  const people = createPeople({ machines, service, hasEjector: printer => ejecting.has(printer) })
  const coming = troubles(size, random)
  const kills: number[] = []
  const begun = performance.now()
  const read = () => Promise.all(jobs.map(id => service.ask<Job>('GET', `/api/queue/jobs/${id}`)))
  // While a service is down, nobody can tell it anything.
  const tried = (work: () => Promise<unknown>) => work().catch((error: Error) => say(error.message))

  let left = jobs.length
  const isOver = () => left === 0 && coming.length === 0 && performance.now() - begun >= size.leastMs

  for (let round = 1; !isOver(); round++) {
    if (performance.now() - begun > LONGEST_MS) throw new Error(`${left} jobs were not done in time`)
    await tried(people.clearPlates)
    if (round % 5 === 0) await tried(people.switchOn)
    if (round % 7 === 0) await tried(people.maintain)
    await sleep(ROUND_MS)
    const [next] = coming
    if (next && countFinished(ledgers) / jobs.length >= next.at) {
      coming.shift()
      say(`${next.kind} at ${countFinished(ledgers)} prints`)
      await happen(world, next.kind, kills)
    }
    if (round % 10 !== 0) continue
    await tried(async () => {
      const views = await read()
      left = views.filter(({ state }) => state !== 'done').length
      await people.retry(views)
    })
    if (round % 100 !== 0) continue
    say(`${left} jobs left after ${Math.round((performance.now() - begun) / 1_000)} s`)
    await tried(() => tellWhy(service, say))
  }
  return { kills, people: people.counts, troublesLeft: coming.length }
}

/** What is found in the end is given time to arrive: records follow reports. */
async function settled (look: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = []
  await eventually(async () => (found = await look()).length === 0, SETTLE_MS, 250).catch(() => {})
  return found
}

async function balances ({ service, plugs }: World, { sockets }: Begun): Promise<Balance[]> {
  const prints = await readPrints(service)
  return await Promise.all(plugs.map(async ({ said, name, kind }, at) => {
    const printer = sockets[at]?.printer ?? ''
    const { wh, prints_wh: ofPrints, idle_wh: between } = await readUse(service, printer)
    const byPrint = await readPrintEnergy(service, prints.filter(print => print.printer === printer))
    return { plug: `${name} (${kind})`, said, booked: wh, prints: ofPrints, between, byPrint }
  }))
}

async function judge (world: World, begun: Begun, kills: readonly number[]) {
  const { machines, service, plugs, plugActs, cuts, clock, phone } = world
  const ledgers = machines.map(({ ledger }) => ledger)
  const energy = await settled(async () => unbalanced(await balances(world, begun)))
  const records = await settled(() => differences(service, ledgers))
  const plugOf = new Map(begun.sockets.flatMap(({ id, printer }, at) => [[id, printer], [plugs[at]?.name ?? '', printer]]))
  const acts = [...oneAct(machines.flatMap(({ acts }) => acts), TOGETHER_REAL_MS * clock.rate), ...plugActs]
  const logged = await readLogged(service, begun, plugOf)
  const limits = { withinMs: WITHIN_REAL_MS * clock.rate, kills }
  const prints = await readPrints(service)
  const sent: Morning[] = phone.got.filter(({ alert }) => alert === 'morning_report').map(({ payload }) => payload)
  const told: Morning[] = []
  for (let at = clock.now(), n = 0; n < 8; n++, at -= 9 * HOUR_MS) told.push(await readMorning(service, Math.round(at)))
  const jobs = await Promise.all(begun.jobs.map(id => service.ask<Job>('GET', `/api/queue/jobs/${id}`)))
  const printed = (run: Run) =>
    resultOf(run, ledgers.find(({ printer }) => printer.name === run.printer)) === 'finished'
  const outcomes = jobs.map(({ id, copies, finished, runs }): JobOutcome =>
    ({ job: id, wanted: copies, counted: finished, printed: runs.filter(printed).length }))
  const count = (of: string) => acts.filter(({ kind }) => kind === of).length
  return {
    found: {
      plates: onUsedPlates(machines.flatMap(({ beginnings }) => beginnings)),
      power: wrongPowerCuts(cuts),
      reasons: withoutOneReason(acts, logged, await readNoted(service, begun), limits),
      energy,
      mornings: untrueMornings([...sent, ...told], prints),
      jobs: [
        ...lostOrTwice(outcomes),
        ...ledgers.flatMap(({ printer, told }) => toldTwice(printer.name, told)),
        ...miscounted(jobs.flatMap(({ runs }) => runs), ledgers),
        ...records
      ]
    },
    figures: {
      prints: machines.reduce((sum, { ledger }) => sum + ledger.prints.size, 0),
      failed: ledgers.flatMap(({ prints }) => [...prints.values()]).filter(result => result === 'failed').length,
      acts: acts.length,
      reasons: logged.length,
      off: cuts.length,
      wh: Math.round(plugs.reduce((sum, { said }) => sum + said, 0)),
      mornings: sent.length,
      ejected: machines.reduce((sum, { ejected }) => sum + ejected.done, 0),
      stuck: machines.reduce((sum, { ejected }) => sum + ejected.stuck, 0),
      kinds: Object.fromEntries([...new Set(acts.map(({ kind }) => kind))].map(of => [of, count(of)]))
    }
  }
}

/** A virtual week, and what its judge found. */
export async function virtualWeek (t: Test, size: Size, say: (text: string) => void = () => {}) {
  const started = performance.now()
  const world = await createWorld(t, size)
  const { service, machines, plugs } = world
  await service.start()
  const reached = async () => {
    const { printers } = await service.ask<Body>('GET', '/api/queue?limit=1')
    const isReady = ({ why }: Body) => ['plate_used', undefined].includes(why?.code)
    return printers.length === size.printers && printers.every(isReady)
  }
  await eventually(reached, 60_000)
  const begun = await setUp(service, size, plugs, world.clock.now())
  const counted = async () =>
    (await service.ask<Body>('GET', '/api/energy')).plugs.every((plug: Body) => plug.counted_by === 'counter')
  await eventually(counted, 30_000)
  world.measure(true)
  const lived = await live(world, size, begun, say)
  world.measure(false)
  plugs.forEach(plug => plug.say())
  const { found, figures } = await judge(world, begun, lived.kills)
  const isGuilty = Object.values(found).some(list => list.length > 0)
  if (isGuilty) console.error(machines.flatMap(({ ledger }) => ledger.notes).toSorted().join('\n'))
  const seconds = Math.round((performance.now() - started) / 1_000)
  return { found, passed: begun.passed, ...lived, figures: { ...figures, rules: begun.rules, seconds } }
}

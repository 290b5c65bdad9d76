import { ruleOf, World } from '../plugins/rules/unit/world.js'
import type { Row } from './row.js'

const RULES = 1_000
const PRINTERS = 300
const ROUNDS = 100
const names = Array.from({ length: PRINTERS }, (_, n) => `p${n}`)

/** Of this process: what others do on the machine does not count. */
function processorUs (work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const heap = (): number => {
  global.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

/** What each report of a printer, and each event, costs with as many rules as there may be. */
export async function rules (): Promise<Row[]> {
  const before = heap()
  const world = new World()
  world.printers = names
  world.reachable = new Set(names)
  const engine = world.start()
  await world.use(...Array.from({ length: RULES }, (_, n) => n % 2 === 0
    ? ruleOf({ when: [{ kind: 'state', value: 'bed', is: n % 4 === 0 ? 'below' : 'above', than: n / 9, for_s: 600 }] })
    : ruleOf({ when: [{ kind: 'event', event: 'print.ended', fields: { result: `r${n}` } }] })))
  let turn = 0
  // The fastest of comparisons that are worth the name: each rule's number against the value.
  const limits = Array.from({ length: RULES / 2 }, (_, n) => n / 9)
  let found = 0
  const bare = processorUs(() => {
    for (let report = 0; report < ROUNDS * PRINTERS; report++) {
      for (const limit of limits) if (report % 90 < limit) found++
    }
  }) / (ROUNDS * PRINTERS)
  const reports = (change: boolean) => processorUs(() => {
    for (let round = 0; round < ROUNDS; round++) {
      if (change) turn++
      for (const printer of names) {
        // It does not cross a limit, as the temperature of a bed does in nearly all of its reports.
        world.values.set(`bed@${printer}`, 119.2 + (turn % 50) / 100)
        engine.values.reported(printer)
      }
    }
  }) / (ROUNDS * PRINTERS)
  reports(true)
  const same = reports(false)
  const changed = reports(true)
  const events = processorUs(() => {
    for (let n = 0; n < ROUNDS * 10; n++) engine.occurred('print.ended', 'p1', { key: `${n}`, at: world.now, fields: { result: 'none' } })
  }) / (ROUNDS * 10)
  const name = `rules: ${RULES} rules, ${PRINTERS} printers`
  if (found === 0) throw new Error('nothing was compared')
  const note = `processor time; a bare loop over ${limits.length} comparisons takes ${bare.toFixed(2)} µs`
  const row = (what: string, ours: number): Row => ({ name: `${name}, ${what}`, ours, unit: 'µs', bar: { atMost: 50 }, note })
  return [
    row('a report without a change', same),
    row('a report with a changed value', changed),
    row('an event that 500 rules look at', events),
    { name: `${name}, memory`, ours: heap() - before, unit: 'MB', bar: { atMost: 60 } }
  ]
}

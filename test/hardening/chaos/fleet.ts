// Virtual printers that live and suffer in a process of their own. Arguments: how many, seed. Messages: `calm`, `on`,
// `forgotten`, `count`. What happened is written down here, by the printers, whoever looks.
import { constants, setPriority } from 'node:os'
import { startFleet, type ModelName, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { createDice } from '../values.js'
import { createRunner, createScripted, type Actor } from './actors.js'
import type { Entry } from './ledger.js'
import { createSight } from './sight.js'
import { createTroubles, type Troubles } from './trouble.js'

const MODELS: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C', 'H2D']
/** How much faster they live; they report at their real rate all the same. */
const SPEED = 10
const LONG_MINUTES = 60_000
/** Every so many runs short jobs by itself. */
const RUNNER_EVERY = 5
const STEP_MS = 250
const READY_WITHIN_MS = 60_000

// They are other machines: what they compute is not taken from the one that the daemon runs on.
setPriority(constants.priority.PRIORITY_LOW)

const [count = '100', seed = '1'] = process.argv.slice(2)
const { printers } = await startFleet({ models: MODELS, count: Number(count) + 1, speed: SPEED })
const due: Entry[] = []
const may: Entry[] = []
const happened = (entry: Entry, must = true): void => { (must ? due : may).push(entry) }

function bring (printer: VirtualPrinter, at: number): { actor: Actor, troubles: Troubles } {
  const dice = createDice(Number(seed) * 1_000 + at)
  const sight = createSight(printer)
  const make = at % RUNNER_EVERY === 0 ? createRunner : createScripted
  return { actor: make(printer, sight, dice, happened), troubles: createTroubles(printer, sight, dice) }
}

const isRunner = (_: unknown, at: number) => at % RUNNER_EVERY === 0
const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Long jobs are past their first stages, so that nothing happens in them that is not made to. */
async function settle (): Promise<void> {
  const long = printers.filter((printer, at) => !isRunner(printer, at))
  for (const printer of long) printer.startJob({ name: 'long', layers: 400, minutes: LONG_MINUTES })
  const deadline = Date.now() + READY_WITHIN_MS
  const isPrinting = (printer: VirtualPrinter) => {
    const { gcode_state: state, stg_cur: stage } = printer.report()
    return state === 'RUNNING' && stage === 0
  }
  do await nap(1_000)
  while (!long.every(isPrinting) && Date.now() < deadline)
}

await settle()
const lives = printers.map(bring)
let calm = true
const timer = setInterval(() => {
  for (const { actor, troubles } of lives) {
    troubles.step(calm)
    actor.step(calm)
  }
}, STEP_MS)

const kinds = () => lives.flatMap(({ troubles }) => Object.entries(troubles.counts))
  .reduce<Record<string, number>>((sum, [kind, number]) => ({ ...sum, [kind]: (sum[kind] ?? 0) + number }), {})

process.on('message', (order: string) => {
  if (order === 'forgotten') for (const { actor } of lives) actor.forgotten()
  else if (order !== 'count') calm = order === 'calm'
  const unrest = lives.flatMap(({ actor }, at) => actor.atRest ? [] : printers[at]?.name ?? [])
  process.send?.({ due, may, troubles: kinds(), unrest })
})
process.on('disconnect', () => { clearInterval(timer); process.exit() })

process.send?.({
  printers: printers.map(({ name, host, serial, accessCode, ports }) =>
    ({ name, host, serial, accessCode, ports: { ...ports }, tls: { mode: 'pin' } })),
  runners: printers.filter(isRunner).map(({ name }) => name)
})

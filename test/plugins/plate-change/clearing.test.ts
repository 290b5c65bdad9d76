import t, { type Test } from 'tap'
import { modelByName } from '../../../core/index.js'
import { magazineOf } from '../../../plugins/plate-change/clearing/accepted-recipe.js'
import { PlateClearer } from '../../../plugins/plate-change/clearing/plate-clearer.js'
import { readSensor } from '../../../plugins/plate-change/evidence/sensor-check.js'
import { hashOf } from '../../../plugins/plate-change/recipe/consequence.js'
import type { Recipe } from '../../../plugins/plate-change/recipe/types.js'
import type { Stored } from '../../../plugins/plate-change/store.js'
import type { RunRow } from '../../../plugins/plate-change/tables.js'
import { eventually } from '../../helpers/eventually.js'
import { RECIPE } from './helpers.js'

const MINUTE_MS = 60_000
const recipe = { ...RECIPE, models: [], materials: [], magazine: 8, id: 'r', changedAt: 0, changedBy: '' } as Recipe
const row: RunRow = {
  id: 'run',
  serial: 'S',
  printer: 'x1c',
  job: 'j',
  recipe: 'r',
  hash: hashOf(recipe),
  state: 'cooling',
  reason: '',
  identity: 'it',
  plate_since: 1,
  changed_at: 0
}

const storedWith = (change: Partial<Stored> = {}, used = 0, size = 0): Stored => ({
  recipes: new Map([['r', recipe]]),
  acceptances: [{ id: 'S r', serial: 'S', recipe: 'r', hash: hashOf(recipe), consequence: '', accepted_at: 0, accepted_by: '' }],
  printers: new Map([['S', { id: 'S', used, size, mask: '[]', measured: '', measured_by: '' }]]),
  runs: [row],
  ...change
})

/** A clearer over one printer, with everything in memory. */
function clearing (t: Test, {
  state = 'cooling', gcodeState = 'FINISH', bedC = 20, remote = undefined as unknown, of = recipe, isShared = false, picture = 'none'
} = {}) {
  const raised: string[] = []
  const moved: string[] = []
  let now = 0
  let looks = 0
  let stored = storedWith({
    recipes: new Map([['r', of]]),
    acceptances: [{ id: 'S r', serial: 'S', recipe: 'r', hash: hashOf(of), consequence: '', accepted_at: 0, accepted_by: '' }],
    runs: [{ ...row, state, hash: hashOf(of) } as RunRow]
  })
  let checks = 0
  const session = {
    name: 'x1c',
    config: { serial: 'S' },
    model: modelByName('X1C'),
    service: 'CONNECTED',
    live: true,
    remote,
    state: { job: { gcodeState, percent: 100, subtaskName: 'cube' }, heat: { bed: { actual: bedC } }, errors: { faults: [] } }
  }
  const clearer = new PlateClearer({
    kernel: {
      now: () => now, signal: new AbortController().signal, printers: { sessions: [session], get: () => session }
    },
    queue: {
      observer: { identity: () => 'it' },
      runner: { wake: () => {} },
      store: {
        plates: async () => new Map([['S', { serial: 'S', state: 'used', job: 'it', changedAt: 1 }]]),
        runsOf: async () => [{ id: 'run', serial: 'S', state: 'printing', reason: '', printer: 'x1c' }]
      }
    },
    store: {
      async load () {
        looks++
        return stored
      },
      async change (_: object, __: object, values: RunRow) {
        moved.push(`${values.state}: ${values.reason}`)
        stored = { ...stored, runs: [{ ...row, ...values, hash: hashOf(of) }] }
        return true
      }
    },
    isShared,
    camera: {
      async check () {
        checks++
        if (picture === 'none') throw new Error('no decoder')
        return { verdict: picture, reason: 'seen' }
      }
    },
    broker: () => undefined,
    waitMs: 1,
    timing: { tickMs: 5, refreshMs: 0, sensorMs: 1 },
    log: { info: () => {}, warn: () => {} },
    raise: (_: string, { payload }: { payload: { reason: string } }) => raised.push(payload.reason),
    happened: () => {}
  } as never)
  t.teardown(() => clearer.close())
  /** Some rounds, at this time. */
  const at = async (ms: number) => {
    now = ms
    const before = looks
    await eventually(() => looks > before + 3)
  }
  return { clearer, raised, moved, at, checks: () => checks }
}

t.test('an empty magazine stays empty whatever becomes of its recipe', async t => {
  t.match(magazineOf(storedWith({}, 7, 8), 'S'), { size: 8, used: 7, isEmpty: false })
  t.match(magazineOf(storedWith({ acceptances: [] }, 8, 8), 'S'), { isEmpty: true }, 'it was withdrawn')
  const saved = new Map([['r', { ...recipe, name: 'Renamed', magazine: 0 }]])
  t.match(magazineOf(storedWith({ recipes: saved }, 8, 8), 'S'), { isEmpty: true }, 'it was changed')
  t.equal(magazineOf(storedWith({ acceptances: [] }, 0, 8), 'S'), undefined, 'a person has filled it')
})

t.test('a figure that only a broken sensor sends is no empty plate', async t => {
  const weight = { topic: 'a', key: '', above: -20, below: 15 }
  const says = (text: string, settings: object = weight) =>
    readSensor(Buffer.from(text), settings as typeof weight)?.verdict
  t.equal(says('3'), 'empty')
  t.equal(says('-4.5'), 'empty')
  t.equal(says('90'), 'full')
  for (const text of ['-8388608', '-20', '-1000']) t.equal(says(text), 'unsure', text)
  for (const text of [' ', '', 'x', '0x1', '1e1', 'NaN', '""']) t.equal(says(text), undefined, text)
  const json = { ...weight, key: 'v' }
  t.equal(says('{"v":" "}', json), undefined)
  t.equal(says('{"v":" 3 "}', json), 'empty')
  t.equal(says('{"v":null}', json), undefined)
  t.equal(says('3', { topic: 'a', key: '', below: 15 }), 'unsure', 'nobody said which figures are broken')
})

t.test('a plate that a person was asked about is not cleared by its group', async t => {
  const { clearer } = clearing(t, { state: 'unsure' })
  t.ok(clearer.handles('S'), 'nothing is known yet')
  t.notOk(clearer.alerts('S'), 'so the queue has to call a person')
  await clearer.refresh()
  t.ok(clearer.handles('S'))
  t.ok(clearer.alerts('S'))
  t.notOk(clearer.handles('other'))
})

t.test('a bed whose temperature is not reported is not cold', async t => {
  const silent = clearing(t, { bedC: 0 })
  silent.clearer.start()
  await silent.at(MINUTE_MS)
  t.same(silent.moved, [])
  await silent.at(61 * MINUTE_MS)
  t.match(silent.moved, [/^unsure: after 60 min the printer cannot be seen/])
  const cold = clearing(t)
  cold.clearer.start()
  await cold.at(MINUTE_MS)
  t.match(cold.moved, [/^checking/, /^unsure/])
})

t.test('a printer behind a node is left to the node', async t => {
  const { clearer, moved, raised, at } = clearing(t, { remote: {} })
  clearer.start()
  await at(90 * MINUTE_MS)
  t.same([moved, raised], [[], []])
})

t.test('a print whose end code waits for ever is told of, once', async t => {
  const { clearer, raised, at } = clearing(t, { state: 'inserted', gcodeState: 'RUNNING' })
  clearer.start()
  await at(MINUTE_MS)
  await at(50 * MINUTE_MS)
  t.same(raised, [])
  await at(70 * MINUTE_MS)
  await at(90 * MINUTE_MS)
  t.match(raised, [/at 100 % for more than 60 min/])
  t.equal(raised.length, 1)
})

t.test('waits that the recipe plans are no reason to call somebody', async t => {
  const of = { ...recipe, end_gcode: 'G4 S600\nG4 P60000\nG4 S540' }
  const { clearer, raised, at } = clearing(t, { state: 'inserted', gcodeState: 'RUNNING', of })
  clearer.start()
  await at(0)
  await at(80 * MINUTE_MS)
  t.same(raised, [], '60 min for cooling, and 20 min of waits')
  await at(81 * MINUTE_MS)
  t.match(raised, [/more than 80 min/])
})

t.test('a check without a camera leaves the plate to another service for some minutes, then asks a person', async t => {
  const of = { ...recipe, check: 'camera' } as Recipe
  const shared = clearing(t, { state: 'checking', of, isShared: true })
  shared.clearer.start()
  await shared.at(MINUTE_MS)
  await shared.at(4 * MINUTE_MS)
  t.same([shared.moved, shared.checks()], [[], 1])
  await shared.at(7 * MINUTE_MS)
  await eventually(() => shared.moved.length > 0)
  t.match(shared.moved, [/^unsure: there is no picture/])
  const alone = clearing(t, { state: 'checking', of })
  alone.clearer.start()
  await eventually(() => alone.moved.length > 0)
  t.match(alone.moved, [/^unsure: there is no picture/], 'there is no other service')
  const full = clearing(t, { state: 'checking', of, isShared: true, picture: 'full' })
  full.clearer.start()
  await eventually(() => full.moved.length > 0)
  t.match(full.moved, [/^unsure: seen/], 'what was seen counts at once')
})

import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectSqlite } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { createCounter } from '../../../plugins/spools/counter.js'
import { createInventoryStore } from '../../../plugins/spools/inventory-store.js'
import { migrations } from '../../../plugins/spools/migrations.js'
import { createLocalKeeper, createSpools } from '../../../plugins/spools/service.js'
import { createStore } from '../../../plugins/spools/store.js'
import { testFolder } from '../../helpers/folder.js'

const SPOOLS = 300
const PRINTS = 2_000
const DAY_MS = 86_400_000
const BEGUN = Date.UTC(2026, 0, 1)

/** Everything of the plugin over a database, without printers. */
async function open (folder: string, clock: { now: number }, prints: Map<string, any>) {
  const journal = await openJsonStore(join(folder, 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  const { service: database, close } = createDatabase({
    kind: 'sqlite',
    connect: connectSqlite(async () => folder),
    steps: stepsOf(migrations, () => 'spools'),
    journal,
    log: { warn () {}, info () {} } as any
  })
  const store = createStore(database)
  const rows = createInventoryStore(database)
  const keeper = createLocalKeeper(store)
  const kernel = { now: () => clock.now, printers: { names: [], get: () => undefined } } as any
  const { service, whereabouts } = createSpools({ kernel, store, keeper, changed () {}, rows, ownLinesFile: join(folder, 'none.json'), running: async () => [] })
  const since = async function * () { yield * prints.values() }
  const history = { find: async (id: string) => prints.get(id), since } as any
  // The list of spools is refreshed after each print; only tags are needed to find them here.
  const spools = { ...service, refresh: async () => {} }
  const counter = createCounter({ history, store, keeper, spools, whereabouts, now: kernel.now })
  await service.refresh()
  return { service, rows, counter, close }
}

t.test('a year: what was bought, less what was used and thrown away, is left', async t => {
  let seed = 11
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const folder = testFolder(t)
  const clock = { now: BEGUN }
  const prints = new Map<string, any>()
  let { service, rows, counter, close } = await open(folder, clock, prints)
  t.teardown(() => close())
  const expected = new Map<string, { net: number, used: number, thrown: number, corrected: number }>()
  const ids: string[] = []
  for (let n = 0; n < SPOOLS; n++) {
    const netGrams = 500 + random(3) * 250
    const id = `s${n}`
    await rows.putAll(() => ({
      types: [],
      places: [],
      changes: [],
      spools: [{
        id,
        name: id,
        material: 'PLA',
        color: '',
        tag: `T${n}`,
        net: netGrams,
        used: 0,
        archived: 0,
        created_at: clock.now,
        type: '',
        place: '',
        lot: '',
        notes: '',
        empty: 200,
        price: null,
        currency: '',
        bought_at: null,
        opened_at: null,
        dried_at: null,
        archived_at: null
      }]
    }))
    ids.push(id)
    expected.set(id, { net: netGrams, used: 0, thrown: 0, corrected: 0 })
  }
  await service.refresh()
  const of = (id: string) => expected.get(id) ?? { net: 0, used: 0, thrown: 0, corrected: 0 }
  const leftOf = (id: string) => {
    const { net, used, thrown, corrected } = of(id)
    return net - used - thrown + corrected
  }
  const gone = new Set<string>()
  for (let n = 0; n < PRINTS; n++) {
    clock.now = BEGUN + Math.floor(n * 365 * DAY_MS / PRINTS)
    const spool = random(SPOOLS)
    const id = ids[spool] ?? ''
    const grams = Math.min(Math.max(0, leftOf(id)), random(80_000) / 1_000)
    if (!gone.has(id) && grams > 0) {
      prints.set(`p${n}`, {
        id: `p${n}`,
        serial: 'S',
        printer: `x${random(3)}`,
        result: 'finished',
        started_at: clock.now,
        ended_at: clock.now,
        grams_open_until: null,
        filaments: [{ filament: 1, place: 'ams 0 slot 0', tag: `T${spool}`, material: 'PLA', color: '', grams, grams_basis: null, metres: null, cost: null }]
      })
      t.equal(await counter.ended(`p${n}`), true)
      of(id).used += grams
      if (n % 7 === 0) await counter.ended(`p${n}`) // the history may report an end twice
    }
    if (n % 50 === 49) {
      const weighed = ids[random(SPOOLS)] ?? ''
      const shown = Math.max(0, Math.round(leftOf(weighed)) + random(9) - 4)
      if (!gone.has(weighed)) {
        clock.now += 1
        const before = leftOf(weighed)
        const weighing = await service.inventory.weigh(weighed, 200 + shown, undefined, 'Ann')
        t.ok(Math.abs((weighing?.error ?? NaN) - (before - shown)) < 0.001, 'the error of the count')
        of(weighed).corrected += shown - before
      }
    }
    if (n % 400 === 399) {
      const lost = ids[random(SPOOLS)] ?? ''
      if (!gone.has(lost)) {
        of(lost).thrown += Math.max(0, leftOf(lost))
        gone.add(lost)
        await service.inventory.throwAway(lost, undefined, 'tangled', 'Ann')
      }
    }
    if (n % 500 === 499) {
      await close()
      const again = await open(folder, clock, prints)
      service = again.service
      rows = again.rows
      counter = again.counter
      close = again.close
      await counter.catchUp(0, new AbortController().signal)
    }
  }
  const all = await service.inventory.list()
  t.equal(all.length, SPOOLS)
  const off = all.filter(({ id, net, used }) => Math.abs((net ?? 0) - used - leftOf(id)) >= 0.001)
  t.same(off, [], 'each spool, to 0.001 g')
  const sum = (value: (id: string) => number) => ids.reduce((total, id) => total + value(id), 0)
  const left = all.reduce((total, { net, used }) => total + (net ?? 0) - used, 0)
  t.ok(Math.abs(sum(id => of(id).net - of(id).used - of(id).thrown + of(id).corrected) - left) < 0.001)
  t.equal(all.filter(({ archived }) => archived === 1).length, gone.size)
  for (const id of ids.slice(0, 20)) {
    const { entries, row } = await service.inventory.find(id)
    t.ok(Math.abs((entries[0]?.left ?? NaN) - ((row.net ?? 0) - row.used)) < 0.001, 'the history ends with what is left')
    t.ok(Math.abs((entries.at(-1)?.left ?? NaN) - (row.net ?? 0)) < 0.001, 'and begins with a full spool')
  }
  const { all: [accuracy], printers } = await service.inventory.accuracy()
  t.ok((accuracy?.weighings ?? 0) > 5 && printers.length > 0)
})

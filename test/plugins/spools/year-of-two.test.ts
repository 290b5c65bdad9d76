import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectPostgres } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import type { RunningPrint } from '../../../plugins/history/index.js'
import { createCounter } from '../../../plugins/spools/counter.js'
import { createInventoryStore } from '../../../plugins/spools/inventory-store.js'
import { migrations } from '../../../plugins/spools/migrations.js'
import { createLocalKeeper, createSpools } from '../../../plugins/spools/service.js'
import { createStore } from '../../../plugins/spools/store.js'
import { NO_DETAILS, type SpoolRow } from '../../../plugins/spools/tables.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

/** A farm in full size takes minutes. */
const WHOLE = process.env.PRN_WALK === 'whole'
const [PRINTERS, SPOOLS, PRINTS] = WHOLE ? [50, 3_000, 20_000] : [10, 120, 600]
const KILLS = WHOLE ? 100 : 15
const YEAR_MS = 365 * 86_400_000
const BEGUN = Date.UTC(2026, 0, 1)
const EMPTY_G = 200
/** Grams are eighths, so that sums are exact. */
const EIGHTH = 0.125

interface World {
  now: number
  readonly prints: Map<string, any>
  running: RunningPrint[]
}

async function open (t: Test, of: World, url: string) {
  const folder = testFolder(t)
  const journal = await openJsonStore(join(folder, 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  const { service: database, close } = createDatabase({
    kind: 'postgres',
    connect: connectPostgres(url, () => {}),
    steps: stepsOf(migrations, () => 'spools'),
    journal,
    log: { warn () {}, info () {} } as any
  })
  const store = createStore(database)
  const rows = createInventoryStore(database)
  const keeper = createLocalKeeper(store)
  const kernel = { now: () => of.now, printers: { names: [], get: () => undefined } } as any
  const { service, whereabouts } = createSpools({
    kernel, store, keeper, changed () {}, rows, ownLinesFile: join(folder, 'none.json'), running: async () => of.running
  })
  const history = { find: async (id: string) => of.prints.get(id) } as any
  // Amounts are read from the database; the list in memory only says which spool has which tag.
  const spools = { ...service, refresh: async () => {} }
  const counter = createCounter({ history, store, keeper, spools, whereabouts, now: kernel.now })
  await service.refresh()
  return { service, rows, counter, close }
}

const newSpool = (n: number, net: number): SpoolRow => ({
  ...NO_DETAILS, id: `s${n}`, name: `s${n}`, material: 'PLA', color: '', tag: `T${n}`, net, used: 0, archived: 0, created_at: BEGUN, empty: EMPTY_G
})

const filamentOf = (spool: number, grams: number) =>
  ({ filament: 1, place: 'ams 0 slot 0', tag: `T${spool}`, material: 'PLA', color: '', grams, grams_basis: 'layers' as const, metres: null, cost: null })

t.test('a year of two services that are killed: what was bought less what was used and thrown away is left, to the gram', { skip: withoutPostgres }, async t => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const server = await startPostgres(t)
  const url = server.newDatabase()
  const of: World = { now: BEGUN, prints: new Map(), running: [] }
  const services = [await open(t, of, url), await open(t, of, url)]
  t.teardown(async () => { for (const { close } of services) await close() })
  const either = () => services[random(2)] ?? fail()
  const fail = (): never => { throw new Error('no service') }

  const bought = Array.from({ length: SPOOLS }, () => 500 + random(3) * 250)
  const spools = bought.map((net, n) => newSpool(n, net))
  await either().rows.putAll(() => ({ types: [], places: [], changes: [], spools }))
  for (const { service } of services) await service.refresh()
  /** What really is on each spool. */
  const real = [...bought]
  const used = bought.map(() => 0)
  const thrown = bought.map(() => 0)
  const on = (list: readonly number[], n: number): number => list[n] ?? fail()
  let waiting: string[] = []
  let weighings = 0
  let kills = 0

  const weigh = async (n: number): Promise<void> => {
    await either().service.inventory.weigh(`s${n}`, EMPTY_G + on(real, n), undefined, 'Ann')
    weighings++
  }
  /** Counts prints that wait, in any order, by one service or both at once. */
  const count = async (most: number): Promise<void> => {
    const ranked = waiting.map(id => ({ id, rank: random(1_000) })).sort((a, b) => a.rank - b.rank)
    const order = ranked.slice(0, most).map(({ id }) => id)
    for (const id of order) {
      if (random(4) === 0) await Promise.all(services.map(({ counter }) => counter.ended(id)))
      else await either().counter.ended(id)
    }
    const done = new Set(order)
    waiting = waiting.filter(id => !done.has(id))
  }
  /** Ends one service while both count and one weighs; what had not ended is done again later, or by the other. */
  const kill = async (): Promise<void> => {
    const at = random(2)
    const victim = services[at] ?? fail()
    const work = waiting.slice(0, 6).flatMap(id => services.map(({ counter }) => counter.ended(id).catch(() => {})))
    await Promise.all([...work, victim.close()])
    services[at] = await open(t, of, url)
    kills++
  }

  for (let n = 0; n < PRINTS; n++) {
    of.now = Math.max(of.now + 10, BEGUN + Math.floor(n * YEAR_MS / PRINTS))
    const spool = random(SPOOLS)
    const grams = Math.min(on(real, spool), random(640) * EIGHTH)
    const id = `p${n}`
    const startedAt = of.now
    const half = Math.floor(grams / EIGHTH / 2) * EIGHTH
    if (grams > 0) {
      if (random(40) === 0) { // weighed while it prints
        of.now += 10
        real[spool] = on(real, spool) - half
        of.running = [{ id, serial: 'S', printer: 'x', isCurrent: true, filaments: [filamentOf(spool, half)] }]
        await weigh(spool)
        of.running = []
        real[spool] = on(real, spool) - (grams - half)
      } else real[spool] = on(real, spool) - grams
      of.now += 10
      used[spool] = on(used, spool) + grams
      of.prints.set(id, {
        id, serial: 'S', printer: `x${random(PRINTERS)}`, result: 'finished', started_at: startedAt, ended_at: of.now, grams_open_until: null, filaments: [filamentOf(spool, grams)]
      })
      waiting.push(id)
    }
    of.now += 1
    if (random(25) === 0) await weigh(random(2) === 0 ? spool : random(SPOOLS)) // maybe before its print is counted
    of.now += 1
    if (random(50) === 0) {
      const lost = Math.min(on(real, spool), random(80) * EIGHTH)
      await either().service.inventory.throwAway(`s${spool}`, lost, 'tangled', 'Ann')
      real[spool] = on(real, spool) - lost
      thrown[spool] = on(thrown, spool) + lost
    }
    if (random(3) > 0) await count(1 + random(4))
    if (n % Math.floor(PRINTS / KILLS) === 1) await kill()
  }
  await count(waiting.length)
  for (const id of [...of.prints.keys()].slice(-200)) {
    await Promise.all(services.map(({ counter }) => counter.ended(id)))
  }

  const all = await either().service.inventory.list()
  t.equal(all.length, SPOOLS)
  const leftOf = ({ net, used }: SpoolRow): number => (net ?? 0) - used
  const off = all.flatMap(row => {
    const n = Number(row.id.slice(1))
    const due = on(bought, n) - on(used, n) - on(thrown, n)
    const isRight = Math.abs(leftOf(row) - due) < 0.001 && Math.abs(due - on(real, n)) < 0.001
    return isRight ? [] : [[row.id, leftOf(row), due]]
  })
  t.same(off, [], 'each spool')
  const sum = (list: readonly number[]) => list.reduce((total, grams) => total + grams, 0)
  const left = all.reduce((total, row) => total + leftOf(row), 0)
  t.ok(Math.abs(sum(bought) - sum(used) - sum(thrown) - left) < 0.001, 'and all together')
  const changes = await either().rows.changes()
  t.equal(changes.filter(({ kind }) => kind === 'weighed').length, weighings)
  const late = changes.filter(({ kind, grams }) => kind === 'balanced' && grams > 0)
  t.ok(late.length > 0, 'some prints were counted after a weighing that had seen them')
  const { all: [accuracy] } = await either().service.inventory.accuracy()
  t.ok(Math.abs(accuracy?.error ?? NaN) < 0.001, 'the scale never differed from the count')
  t.comment(`${PRINTERS} printers, ${SPOOLS} spools, ${of.prints.size} prints, ${weighings} weighings, ${late.length} late, ${kills} kills; ` +
    `bought ${sum(bought)} g, used ${sum(used)} g, thrown ${sum(thrown)} g, left ${left} g`)
})

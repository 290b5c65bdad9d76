import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { entryOf } from '../queue/helpers.js'
import { book, type Booking } from '../../../plugins/energy/meter/book.js'
import { createPlugStore } from '../../../plugins/energy/plug-store.js'
import type { Tables } from '../../../plugins/energy/tables.js'
import { bootEnergy, on } from './boot-plug.js'
import { shelly2 } from './plugs.js'

t.test('of two services over one database, one counts and switches a plug', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const plugins = { database: { url: server.newDatabase() } }
  const plug = await shelly2(t)
  const north = await bootEnergy(t, { config: { plugins, dataDir: testFolder(t) } })
  const printers = north.printers.map(entryOf)
  const south = await bootEnergy(t, { config: { plugins, printers, dataDir: testFolder(t) } })
  const id = await north.add({ settings: { host: plug.host }, printer: north.name })
  const both = [north, south] as const
  const driven = async () => await Promise.all(both.map(async one => (await one.plugOf(id))?.is_driven))
  await eventually(async () => (await driven()).filter(Boolean).length === 1, 30_000)
  const [isNorth] = await driven()
  const [driver, other] = isNorth === true ? [north, south] : [south, north]
  t.match((await on(other, id)).body, { error: 'plug_elsewhere' })
  t.equal((await on(driver, id)).status, 200)
  await north.printer.stop() // as when its plug is off
  await eventually(async () => (await driven()).join() === 'true,false', 30_000)
  t.equal((await on(north, id)).status, 200, 'a printer that no service reaches is switched on where its plug was added')

  const stores = both.map(({ kernel }) => createPlugStore(kernel.services.database))
  for (let round = 0; round < 20; round++) {
    const now = Date.now() + round * 100_000
    const claims = await Promise.all(stores.map((store, at) => store.claim(id, { by: `service ${at}`, now, until: now + 50_000, isLateOff: false })))
    t.equal(claims.filter(Boolean).length, 1, `round ${round}: one switches`)
  }

  const [first] = await stores[0]?.list() ?? []
  if (first === undefined) return t.fail('no plug')
  const twins = await Promise.allSettled(stores.map((store, at) => store.add({ ...first, id: `twin-${at}`, name: `Twin ${at}`, settings: JSON.stringify({ host: '192.168.7.7' }) })))
  t.same(twins.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'one plug is stored once')

  const booking = (service: string, wh: number, now: number): Booking => ({
    plug: 'other',
    serial: '',
    service,
    now,
    count: { wh, at: now },
    stretches: [{ print: 'p', seconds: 60, wattSeconds: 0, knownSeconds: 0 }],
    unseen: () => [],
    day: '2026-11-29',
    price: () => 0.5
  })
  const write = (at: number, wh: number, now: number) => both[at]?.kernel.services.database.change<Tables, unknown>(db => book(db, booking(`${at}`, wh, now)))
  await write(0, 1_000, 1)
  for (let round = 1; round <= 20; round++) {
    await Promise.all(both.map((_, at) => write(at, 1_000 + round * 7, round * 60_000)))
  }
  const rows = await north.kernel.services.database.query<Tables, any[]>(db => db.selectFrom('energy_use').selectAll().where('plug', '=', 'other').execute())
  t.match(rows, [{ wh: 140, print: 'p' }], 'each Wh is booked once')
  t.ok(Math.abs(rows[0].cost - 0.07) < 1e-9)
})

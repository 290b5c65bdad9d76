import t, { type Test } from 'tap'
import spoolsPlugin from '../../../plugins/spools/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { recordedWith } from '../history/preset.js'
import { madeUp } from '../history/rows.js'

const preset = recordedWith(spoolsPlugin)
const WITHIN_MS = 30_000
type Body = any

/** A print that took 10 g from the spool with this tag. */
function print ({ kernel }: Booted, number: number, tag: string): void {
  const [head, filament] = madeUp(number * 28, Date.now(), 0)
  if (!head || !filament) throw new Error('no rows')
  const { database } = kernel.services
  database.put({ ...head, values: { ...head.values, serial: 'S', printer: 'x1c' } })
  database.put({ ...filament, values: { ...filament.values, place: 'ams 0 slot 0', tag, material: 'PLA', color: '#111111' } })
  kernel.events.emit('history:print', 'x1c', { id: head.values.id, result: 'finished', filaments: [] } as any)
}

function suite (t: Test, newDatabase: () => object): void {
  t.test('types, places and spools: searched, moved together, weighed, archived, and removed only when unused', async t => {
    const booted = await boot(t, { preset, models: [], config: { plugins: { database: newDatabase() } } })
    const { http } = booted
    const post = async (path: string, body: Record<string, unknown>) => await http('POST', `/api/spools${path}`, body)
    const inventory = async (params: Record<string, unknown> = {}): Promise<Body> => (await http('GET', '/api/spools/inventory', params)).body

    const { body: type } = await post('/types', {
      brand: 'Prusament', line: 'PETG', material: 'PETG', colors: ['#ea5e1a'], color_name: 'Prusa Orange', net_g: 1000, empty_g: 193, price: 29.99, currency: 'EUR'
    })
    t.match(type, { brand: 'Prusament', colors: ['#EA5E1A'], diameter_mm: 1.75, density: null, archived: false })
    t.match((await http('PATCH', '/api/spools/types', { id: type.id, density: 1.27, price: null })).body, { density: 1.27, price: null, empty_g: 193 })
    const { body: shelf } = await post('/places', { name: 'Shelf 2', capacity: 2 })
    t.match(shelf, { kind: 'shelf', capacity: 2, spools: 0 })

    const spool: Body = (await post('', { type: type.id, place: shelf.id, tag: 'AA11', lot: 'L7' })).body
    t.match(spool, { name: 'Prusament PETG Prusa Orange', material: 'PETG', color: '#EA5E1A', net_g: 1000, left_g: 1000 })
    const plain: Body = (await post('', { name: 'Old red', material: 'PLA', net_g: 500 })).body
    t.match(await post('', { material: 'PLA' }), { status: 400 }, 'neither a name nor a type')
    t.match(await post('', { name: 'x', material: 'PLA', type: 'none' }), { status: 404, body: { error: 'no_such_spool_type' } })
    t.match(await http('PATCH', `/api/spools/${plain.id}`, { place: 'none' }), { status: 404, body: { error: 'no_such_spool_place' } })

    t.match(await inventory({ text: 'prusa l7' }), { total: 1, spools: [{ id: spool.id, place: shelf.id, type: type.id, lot: 'L7' }], places: [{ spools: 1 }] })
    t.equal((await inventory({ text: 'shelf 2' })).total, 1)
    t.equal((await inventory({ brand: 'Prusament', material: 'PLA' })).total, 0)
    t.match(await inventory({ limit: 1, offset: 1 }), { total: 2, spools: [{ id: plain.id }] })

    const at = Date.now()
    t.match(await post('/many', { ids: [spool.id, plain.id], place: shelf.id, dried_at: at }), { status: 200, body: { changed: 2 } })
    t.match((await inventory()).spools, [{ place: shelf.id, dried_at: at }, { place: shelf.id, dried_at: at }])
    t.match(await post('/many', { ids: [spool.id, 'none'], archived: true }), { status: 404 })
    t.match(await post('/many', { ids: [spool.id] }), { status: 400 })
    t.match((await inventory()).spools, [{ archived: false }, { archived: false }], 'none was changed')
    t.match(await http('PATCH', '/api/spools/places', { id: shelf.id, archived: true }), { status: 409, body: { error: 'spool_place_in_use' } })

    print(booted, 1, 'AA11')
    await eventually(async () => (await inventory()).spools[0].left_g === 990, WITHIN_MS)
    t.match((await post(`/${spool.id}/weigh`, { gross_g: 1173 })).body, {
      left_g: 980,
      weighing: { thought_g: 990, left_g: 980, error_g: 10, error_percent: 1.01, counted_g: 10, empty_g: 193 }
    })
    t.match(await post(`/${plain.id}/weigh`, { gross_g: 700 }), { status: 400 }, 'the empty spool is unknown')
    t.match(await post(`/${spool.id}/weigh`, { gross_g: 100 }), { status: 400 })
    t.match((await post(`/${plain.id}/weigh`, { gross_g: 700, empty_g: 200 })).body, { left_g: 500, weighing: { error_g: 0 } })
    t.equal((await post(`/${spool.id}/throw`, { grams: 30, note: 'tangled' })).status, 200)
    const page: Body = (await http('GET', `/api/spools/${spool.id}`)).body
    t.match(page, { spool: { left_g: 950 }, type: { id: type.id }, place: { name: 'Shelf 2', spools: 2 }, removable: false })
    t.same(page.history.map(({ kind, grams, left_g: left }: Body) => [kind, grams, left]), [
      ['thrown', -30, 950], ['weighed', -10, 980], ['print', -10, 990], ['added', 1000, 1000]
    ])
    t.match(page.history[0], { note: 'tangled' })
    t.match((await http('GET', '/api/spools/accuracy')).body, { all: null }, 'ten grams say nothing')

    t.match(await http('DELETE', `/api/spools/${plain.id}`), { status: 409, body: { error: 'spool_stays' } }, 'it is not archived')
    for (const { id } of [spool, plain]) t.equal((await http('PATCH', `/api/spools/${id}`, { archived: true })).status, 200)
    t.match(await http('DELETE', `/api/spools/${spool.id}`), { status: 409 }, 'a print used it')
    t.equal((await http('DELETE', `/api/spools/${plain.id}`)).status, 200)
    t.match(await http('GET', `/api/spools/${plain.id}`), { status: 404, body: { error: 'no_such_spool' } })
    t.equal((await inventory()).total, 0)
    t.match(await inventory({ archived: 'yes' }), { total: 1, spools: [{ id: spool.id, archived: true }] })
    t.match((await http('PATCH', `/api/spools/${spool.id}`, { archived: false, name: 'Back' })).body, { name: 'Back', left_g: 950 })
  })

  t.test('a list is looked at first, then imported, and comes back the same; what is missing is a shopping list', async t => {
    const booted = await boot(t, { preset, models: [], listen: true, config: { api: { host: '127.0.0.1' }, plugins: { database: newDatabase() } } })
    const { http, kernel } = booted
    const address = `http://127.0.0.1:${kernel.apiPort}/api/spools`
    const send = async (text: string, query = '', type = 'text/csv'): Promise<Body> => {
      const response = await fetch(`${address}/import${query}`, { method: 'POST', headers: { 'content-type': type }, body: text })
      return { status: response.status, body: await response.json() }
    }
    const list = 'id,brand,material,color,net_g,left_g,price,currency,tag,place\n' +
    'a,eSUN,PLA,#111111,1000,20,19.9,EUR,AA11,Box\nb,eSUN,PLA,#222222,1000,900,19.9,EUR,,Box\nc,eSUN,PLA,#333333,much,,,,,\n'
    t.match(await send(list), { status: 200, body: { rows: 3, added: 2, broken: 1, applied: false, new_places: 1, problems: [{ line: 4, column: 'net_g', value: 'much' }] } })
    t.match((await send(list, '?apply=true')).body, { applied: false }, 'one row is broken')
    t.equal((await http('GET', '/api/spools/inventory')).body.total, 0)
    t.match((await send(list, '?apply=true&skip_broken=true')).body, { applied: true, added: 2 })
    t.match((await http('GET', '/api/spools/inventory')).body, { total: 2, spools: [{ id: 'a', left_g: 20 }, { id: 'b', left_g: 900 }], types: [{ brand: 'eSUN' }, {}] })
    t.match((await send(list, '?apply=true&skip_broken=true')).body, { added: 0, changed: 0, unchanged: 2 })
    t.match(await send('', ''), { status: 400 })
    t.match(await send('{"a":', ''), { status: 400, body: { reason: /no JSON/ } })
    t.match(await send(list, '?apply=maybe'), { status: 400 })
    t.match(await send(list, '', 'image/png'), { status: 400 })

    for (const format of ['csv', 'json']) {
      const response = await fetch(`${address}/export?format=${format}`)
      t.match(response.headers.get('content-disposition'), `spools.${format}`)
      t.match((await send(await response.text())).body, { format: 'prnd', rows: 2, unchanged: 2, broken: 0 }, format)
    }

    print(booted, 1, 'AA11')
    await eventually(async () => (await http('GET', '/api/spools/a')).body.spool.left_g === 10, WITHIN_MS)
    const supply: Body = (await http('GET', '/api/spools/shopping', { days: 56 })).body
    t.match(supply, { days: 56, filaments: [{ color: '#111111', left_g: 10, used_g: 10, needed_g: 20, buy: 1, price: 19.9 }, { color: '#222222', buy: 0, runs_out_at: null }] })
    t.same(supply.totals, [{ currency: 'EUR', price: 19.9 }])
    t.equal(await (await fetch(`${address}/shopping?format=csv&days=56`)).text(),
      'brand,line,material,color_name,color,buy,net_g,price,currency,left_g,needed_g\r\neSUN,,PLA,,#111111,1,1000,19.9,EUR,10,20\r\n')
    kernel.services.spools.plannedBy(async () => [{ material: 'PLA', color: '#222222', grams: 950 }, { material: 'PETG', color: '#444444', grams: 5 }])
    t.match((await http('GET', '/api/spools/shopping')).body.filaments.filter(({ buy }: Body) => buy > 0), [
      { brand: '', material: 'PETG', buy: 1 }, { color: '#222222', planned_g: 950, left_g: 900, buy: 1 }
    ], 'what the queue needs')

    const { lines, total } = (await http('GET', '/api/spools/catalogue', { text: 'bambu matte' })).body as Body
    t.match(lines, [{ brand: 'Bambu Lab', line: 'PLA Matte', net_g: 1000, empty_g: 250, density: 1.31, dry_c: 50 }])
    t.ok(total >= 60)
  })
}

t.test('with SQLite', async t => suite(t, () => ({})))
t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, () => ({ url: server.newDatabase() }))
})

import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { recordedWith } from './preset.js'
import { madeUp } from './rows.js'

const PRINTS = 30
const SINCE = Date.UTC(2026, 0, 20, 5)
const prices = [{ material: 'PLA', price: 20 }, { material: 'PETG', price: 25.5 }, { material: 'ABS', price: 18 }]
const PER_KG = new Map(prices.map(({ material, price }) => [material, price]))

type Body = any

const DATABASES = [
  { name: 'SQLite', database: async () => ({}), skip: false },
  { name: 'PostgreSQL', database: async (t: Test) => ({ url: (await startPostgres(t)).newDatabase() }), skip: withoutPostgres }
]

for (const { name, database, skip } of DATABASES) {
  t.test(`prices are set, and price what had none (${name})`, { skip }, async t => {
    const { kernel, http, tool } = await boot(t, {
      preset: recordedWith(),
      models: [],
      config: { dataDir: testFolder(t), printers: [], plugins: { database: await database(t) } }
    })
    const rows = Array.from({ length: PRINTS }, (_, number) => madeUp(number, SINCE, 3_600_000)).flat()
    for (const row of rows) {
      const isPriced = row.table === 'history_filaments' && row.values.id === 'print-1:1'
      kernel.services.database.put(row.table === 'history_prints' ? row : { ...row, values: { ...row.values, cost: isPriced ? 7 : null } })
    }
    kernel.services.database.put({ table: 'history_prints', values: { ...madeUp(4, SINCE, 3_600_000)[0]?.values, id: 'print-4', result: 'running' } })
    await kernel.services.database.settled()
    const before = (await http('GET', '/api/history/prices')).body as Body
    t.match(before, { origin: 'none', prices: [], may_change: true })
    t.ok(before.materials.some(({ material, grams, unpriced }: Body) => material === 'PLA' && grams > 0 && unpriced > 0))
    for (const bad of [[{ material: 'PLA', price: -1 }], [{ material: '', price: 1 }], [prices[0], prices[0]]]) {
      t.equal((await http('PATCH', '/api/history/prices', { prices: bad } as never)).status, 400, JSON.stringify(bad))
    }
    t.match((await http('PATCH', '/api/history/prices', { prices } as never)).body, { prices, priced: 0 })
    t.equal(kernel.services.history.costOf('PLA', 500), 10, 'at once')
    t.equal(kernel.services.history.costOf('PLA-CF', 500), null)
    const { body: { priced } } = await http('PATCH', '/api/history/prices', { prices, earlier: true } as never) as Body
    const { prints } = (await http('GET', '/api/history', { limit: 100 })).body as Body
    const whole = prints.filter(({ result, filaments }: Body) =>
      result !== 'running' && filaments.every(({ material }: Body) => PER_KG.has(material)))
    t.ok(whole.length > 5 && priced === whole.length, `${priced} of ${whole.length} prints`)
    for (const { id, cost, filaments } of whole) {
      const due = filaments.reduce((sum: number, { material, grams }: Body) =>
        sum + (id === 'print-1' && material === 'PETG' ? 7 : (PER_KG.get(material) ?? 0) * grams / 1_000), 0)
      t.ok(Math.abs(cost - due) < 0.02, `${id} costs ${cost}, not ${due}`)
    }
    t.equal(prints.find(({ id }: Body) => id === 'print-4').cost, null, 'a running print is left to its recorder')
    const { total } = (await http('GET', '/api/history/summary')).body as Body
    const known = prints.flatMap(({ filaments }: Body) => filaments)
      .reduce((sum: number, { cost }: Body) => sum + (cost ?? 0), 0)
    t.ok(Math.abs(total.cost - known) < 0.05, `${total.cost} is ${known}`)
    t.match((await tool('filament_prices')).value, { origin: 'stored', prices })
    t.match((await tool('set_filament_prices', { prices: [] })).text, /user_permission/)
  })
}

t.test('prices of the configuration file are only changed there', async t => {
  const { http } = await boot(t, {
    preset: recordedWith(),
    models: [],
    config: { dataDir: testFolder(t), printers: [], plugins: { history: { prices: { PLA: 20 } } } }
  })
  t.match((await http('GET', '/api/history/prices')).body, { origin: 'file', prices: [{ material: 'PLA', price: 20 }] })
  t.match(await http('PATCH', '/api/history/prices', { prices } as never), { status: 409, body: { error: 'set_in_file', reason: /plugins\.history\.prices/ } })
})

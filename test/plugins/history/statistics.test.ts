import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { madeUp } from './rows.js'
import type { Row } from '../../../plugins/database/index.js'

const PRINTS = 600
const HOUR_MS = 3_600_000
const SINCE = Date.UTC(2026, 0, 20, 5)

type Counted = Readonly<Record<string, unknown>> & { readonly printers: readonly Readonly<Record<string, unknown>>[] }

interface Group { readonly name: string, readonly grams: number, readonly printing_s: number, readonly prints: number }
interface Used { readonly printer: string, readonly since: number, readonly lost_s: number }

/** Prints that counting finds for a name and a period. */
function countedBy (rows: readonly Row[], by: string, name: string, [from, to]: readonly [number, number]) {
  const ofMaterial = new Set(rows.filter(({ values }) => values.material === name).map(({ values }) => values.print))
  const { prints, finished, failed, cancelled, grams } = counted(rows, values =>
    Number(values.started_at) >= from && Number(values.started_at) < to &&
    (by === 'material' ? ofMaterial.has(values.id) : values[by] === name))
  return { prints, finished, failed, cancelled, ...(by !== 'material' && { grams, priced_grams: grams }) }
}

/** What the statistics must say, counted one by one. */
function counted (rows: readonly Row[], passes: (print: Row['values']) => boolean) {
  const prints = rows.filter(({ table, values }) => table === 'history_prints' && passes(values))
  const ids = new Set(prints.map(({ values }) => values.id))
  const filaments = rows.filter(({ table, values }) => table === 'history_filaments' && ids.has(String(values.print)))
  const count = (result: string) => prints.filter(({ values }) => values.result === result).length
  return {
    prints: prints.length,
    finished: count('finished'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    grams: filaments.reduce((grams, { values }) => grams + Number(values.grams), 0),
    printing_s: prints.reduce((seconds, { values }) => seconds + Number(values.printing_s), 0)
  }
}

function suite (t: Test, plugins: (t: Test) => object): void {
  t.test('statistics are what counting comes to, also after prints change and go', async t => {
    const { kernel, http } = await boot(t, {
      models: [], config: { dataDir: testFolder(t), printers: [], plugins: { database: plugins(t) } }
    })
    const rows = Array.from({ length: PRINTS }, (_, number) => madeUp(number, SINCE, HOUR_MS * 5, 3)).flat()
    for (const row of rows) kernel.services.database.put(row)
    const ask = async (params: object) =>
      (await http('GET', '/api/history/statistics', { ...params })).body as Counted
    const at = (text: string) => Date.parse(`${text}Z`)
    const times = [
      [undefined, undefined],
      [at('2026-02-01T00:00:00'), at('2026-04-01T00:00:00')],
      [at('2026-01-25T13:00:00'), at('2026-03-03T03:00:00')],
      [at('2026-02-03T00:00:00'), at('2026-02-03T09:00:00')],
      [at('2026-02-11T07:00:00'), undefined]
    ] as const
    const compare = async () => {
      for (const [since, until] of times) {
        for (const [printer, result] of [[], ['printer-1'], [undefined, 'failed'], ['printer-2', 'finished']] as const) {
          const params = {
            ...(since !== undefined && { since }),
            ...(until !== undefined && { until }),
            ...(printer !== undefined && { printer_name: printer }),
            ...(result !== undefined && { result })
          }
          t.match(await ask(params), counted(rows, values =>
            Number(values.started_at) >= (since ?? 0) && Number(values.started_at) < (until ?? Infinity) &&
            (printer ?? values.printer) === values.printer && (result ?? values.result) === values.result),
          JSON.stringify(params))
        }
      }
    }
    const day = [at('2026-02-02T00:00:00'), at('2026-02-09T00:00:00')] as const
    for (const by of ['printer', 'material', 'model']) {
      const { status, body } = await http('GET', '/api/history/summary', { by, boundaries: day.join(',') })
      const { total, groups, periods } = body as { total: Group, groups: readonly Group[], periods: readonly Group[][] }
      t.equal(status, 200, `by ${by}`)
      t.equal(total.prints, PRINTS)
      t.equal(total.grams, counted(rows, () => true).grams)
      const seconds = counted(rows, () => true).printing_s + PRINTS * 100
      t.ok(Math.abs(total.printing_s - seconds) < 1, 'all of the time')
      t.ok(Math.abs(groups.reduce((sum, group) => sum + group.printing_s, 0) - seconds) < 1, 'no time twice')
      const spans = [[0, day[0]], day, [day[1], Infinity]] as const
      for (const group of groups) t.match(group, countedBy(rows, by, group.name, [0, Infinity]), `by ${by}: ${group.name}`)
      for (const [number, span] of spans.entries()) {
        for (const group of periods[number] ?? []) t.match(group, countedBy(rows, by, group.name, span), `${by} ${number}`)
      }
    }
    const { printers } = (await http('GET', '/api/history/time', { since: day[1] })).body as { printers: readonly Used[] }
    const lost = rows.filter(({ table, values }) => table === 'history_prints' && values.printer === 'printer-1' &&
      Number(values.started_at) >= day[1] && values.result !== 'finished')
      .reduce((seconds, { values }) => seconds + Number(values.prepare_s) + Number(values.printing_s), 0)
    t.equal(printers[1]?.since, day[1])
    t.ok(Math.abs((printers[1]?.lost_s ?? 0) - lost) < 3_600, `${printers[1]?.lost_s} of ${lost} s`)

    await compare()
    for (const timeZone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' })
      const monthOf = ({ started_at: started }: Row['values']) => format.format(Number(started))
      const cases: [params: object, passes: (print: Row['values']) => boolean][] = [
        [{}, () => true],
        [{ printer_name: 'printer-1' }, ({ printer }) => printer === 'printer-1'],
        [{ text: 'shelf 5' }, ({ name }) => String(name).includes('shelf 5')],
        [{ until: at('2026-02-01T05:00:00') }, ({ started_at: started }) => Number(started) < at('2026-02-01T05:00:00')]
      ]
      for (const [params, passes] of cases) {
        const prints = rows.filter(({ table, values }) => table === 'history_prints' && passes(values))
        const months = [...new Set(prints.map(({ values }) => monthOf(values)))]
          .map(month => ({ month, ...counted(rows, values => passes(values) && monthOf(values) === month) }))
        t.match(await ask({ ...params, time_zone: timeZone }), { ...counted(rows, passes), months },
          `${timeZone} ${JSON.stringify(params)}`)
      }
    }
    t.equal((await http('GET', '/api/history/statistics', { time_zone: 'Nowhere/Land' })).status, 400)
    const all = await ask({})
    t.match(all, { faults: [{ fault: '0300_8004 Filament ran out', prints: counted(rows, () => true).failed }] })
    t.same(all.printers.map(({ printer }) => printer), ['printer-0', 'printer-1', 'printer-2'])
    t.match((await ask({ material: 'PETG' })).materials, [{ material: 'PETG' }])
    t.match(await ask({ text: 'SHELF 5' }), counted(rows, ({ name }) => String(name).includes('shelf 5')))

    const lines = (await http('GET', '/api/history/export', { format: 'jsonl' })).text.trimEnd().split('\n')
    t.same(lines.map(line => JSON.parse(line).id), Array.from({ length: PRINTS }, (_, at) => `print-${PRINTS - 1 - at}`))
    await http('PATCH', '/api/history/print-4', { note: '=1+"1",\nx' })
    const table = (await http('GET', '/api/history/export', { result: 'failed' })).text.trimEnd()
    t.equal(table.split('\r\n').length, counted(rows, ({ result }) => result === 'failed').prints + 1)
    t.match(table, '"\'=1+""1"",\nx"', 'no formula, and quoted')

    for (const number of [3, 90, 91, 400]) {
      await http('PATCH', `/api/history/print-${number}`, { result: 'failed' })
      const row = rows.find(({ values }) => values.id === `print-${number}`)
      if (row) Object.assign(row.values, { result: 'failed' })
    }
    for (const number of [7, 8, 300]) {
      await http('DELETE', `/api/history/print-${number}`)
      for (const row of rows.filter(({ values }) => [values.id, values.print].includes(`print-${number}`))) {
        rows.splice(rows.indexOf(row), 1)
      }
    }
    await compare()
  })
}

t.test('with SQLite', async t => suite(t, () => ({})))

t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, () => ({ url: server.newDatabase() }))
})

import t from 'tap'
import type { Raw } from '../../../core/printer/state/raw.js'
import { createFeed, type Fields } from './helpers/feed.js'
import { a1Mini } from './fixtures/a1-mini.data.js'
import { mergeReport } from './helpers/merge.js'

const nested = (levels: number): unknown => levels === 0 ? 1 : { x: nested(levels - 1) }

function merge (base: Raw, patch: Fields) {
  const protocolWarnings: string[] = []
  const { tree } = mergeReport(base, patch, (kind, field) => protocolWarnings.push(`${kind}: ${field}`))
  return { tree, protocolWarnings }
}

t.test('an unknown field of any kind is kept', async t => {
  const patch = { t_utc: 1_700_000_000_000, queue: {}, care: [{ id: 'lr', info: '70' }], is_odd: null, canvas_id: false }
  t.strictSame(merge({}, patch).tree, patch)
})

t.test('what nests too deep is left out', async t => {
  const { tree, protocolWarnings } = merge({ mc_percent: 1 }, { mc_percent: 2, deep: nested(40) })
  t.strictSame(tree, { mc_percent: 2 })
  t.strictSame(protocolWarnings, ['size: deep'])
})

t.test('what grows deeper little by little stops too', async t => {
  let tree: Raw = {}
  for (let levels = 1; levels < 40; levels++) ({ tree } = merge(tree, { deep: nested(levels) }))
  const depth = JSON.stringify(tree).split('{').length
  t.ok(depth < 20, `${depth} levels`)
})

t.test('a huge unknown value is left out, in one piece or in many', async t => {
  const { tree, protocolWarnings } = merge({}, { filler: 'x'.repeat(400_000), mc_percent: 7 })
  t.strictSame(tree, { mc_percent: 7 })
  t.strictSame(protocolWarnings, ['size: filler'])
  let grown: Raw = {}
  for (let at = 0; at < 100; at++) ({ tree: grown } = merge(grown, { filler: { [`part${at}`]: 'x'.repeat(1000) } }))
  t.ok(JSON.stringify(grown).length < 10_000, `${JSON.stringify(grown).length} characters`)
})

t.test('a huge text in a known field is left out', async t => {
  const { tree, protocolWarnings } = merge({ subtask_name: 'cube' }, { subtask_name: 'x'.repeat(5_000) })
  t.strictSame(tree, { subtask_name: 'cube' })
  t.strictSame(protocolWarnings, ['type: subtask_name'])
})

t.test('the number of unknown fields is bounded, that of known ones is not', async t => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]))
  const { tree, protocolWarnings } = merge({}, many)
  t.equal(Object.keys(tree).length, 160)
  t.equal(protocolWarnings.length, 840)
  t.equal(merge(tree, { mc_percent: 3 }).tree.mc_percent, 3)
})

t.test('the number of units is bounded', async t => {
  const units = Array.from({ length: 2000 }, (_, id) => ({ id: String(id) }))
  const { tree, protocolWarnings } = merge({}, { ams: { ams: units } })
  t.equal((tree.ams as { ams: unknown[] }).ams.length, 64)
  t.ok(protocolWarnings.includes('list: ams'))
})

t.test('a long list is cut and complained about', async t => {
  const { tree, protocolWarnings } = merge({}, { stg: Array.from({ length: 5000 }, () => 1) })
  t.equal((tree.stg as unknown[]).length, 512)
  t.strictSame(protocolWarnings, ['list: stg'])
})

t.test('no prototype is touched, whatever the keys are called', async t => {
  const bad = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x",' +
    '"ams":{"__proto__":{"polluted":1},"ams":[{"id":"0","__proto__":{"polluted":1}}]},"vt_tray":{"__proto__":{"id":"9"}}}'
  const { tree } = merge({}, JSON.parse(bad) as Fields)
  t.notOk('polluted' in {}, 'objects in general')
  t.notOk('polluted' in tree)
  t.notOk('polluted' in (tree.ams as object))
  t.equal(Object.getPrototypeOf(tree), Object.prototype)
  t.strictSame((tree.vt_tray as { id?: unknown }).id, undefined)
  t.strictSame(Object.keys(tree).sort(), ['ams', 'constructor', 'toString', 'vt_tray'])
})

t.test('a printer that makes us hold ever more starts anew, and its next full report is taken', async t => {
  const feed = createFeed(a1Mini.serial)
  feed.report(a1Mini.report)
  const filler = 'x'.repeat(4000)
  const grow = (unit: number) => {
    const tray = Array.from({ length: 10 }, (_, id) => ({ id: String(id), tray_type: filler, tray_id_name: filler }))
    feed.report({ msg: 1, ams: { tray_exist_bits: 'f'.repeat(32), ams: [{ id: String(unit), tray }] } })
  }
  let unit = 0
  let largest = 0
  while (feed.protocolWarnings.counts['size: report'] === undefined && unit < 64) {
    grow(unit++)
    largest = Math.max(largest, JSON.stringify(feed.reports.raw).length)
  }
  t.ok(unit < 64 && largest < 4 * 1024 * 1024, `${unit} units, ${largest} characters`)
  t.strictSame([feed.reports.complete, feed.seen.incomplete], [false, 1], 'everything was asked for')
  feed.report(a1Mini.report)
  t.ok(feed.reports.complete)
  t.strictSame(feed.state.ams.units.map(({ id }) => id), [0])
  t.strictSame(feed.reports.raw.ams, a1Mini.report.ams)
})

import t from 'tap'
import { jsonBytes, type PrinterState } from '../../../../core/index.js'
import { defineCollection, type HealthRecord } from '../../../../plugins/telemetry/index.js'
import { COLLECTIONS } from '../../../../plugins/telemetry/collections.js'
import { EPOCH_S, recordAt, stateAt, storeAt } from '../states.js'

const NAMES = ['tool', 'tool_1', 'bed', 'chamber', 'part_fan', 'aux_fan', 'exhaust_fan', 'heatbreak_fan',
  'tool_target', 'tool_1_target', 'bed_target', 'chamber_target']

t.test('before anything is recorded all collections are there and empty', async t => {
  const { store } = storeAt()
  const { collections, gcode_state_durations: durations, events } = store.data('x1c')
  t.same(Object.keys(collections), NAMES)
  for (const name of NAMES) t.same(collections[name], { name, data: [] })
  t.same([durations, events], [{}, []])
  t.same(store.summary('x1c').summary.bed, { count: 0, min: null, max: null, avg: null, last: null })
  t.same(store.series('x1c', 'bed'), { field: 'bed', series: { name: 'bed', data: [] } })
  t.same(store.history('x1c'), store.data('x1c'))
})

t.test('one point for each report, with the time of the report', async t => {
  const { store, record } = storeAt()
  record(0.1, { bed: 60.12 })
  record(1.5, { bed: 60.12 })
  t.same(store.data('x1c').collections.bed?.data, [{ t: EPOCH_S + 0.1, v: 60.12 }, { t: EPOCH_S + 1.5, v: 60.12 }])
  t.same(store.data('x1c').collections.heatbreak_fan?.data.map(({ v }) => v), [40, 40])
  t.same(store.data('x1c').collections.tool_1?.data, [], 'a single printer has no second nozzle')
})

t.test('a dual printer: the right nozzle first, the left second', async t => {
  const { store, record } = storeAt()
  record(0, { nozzle: 220, left: 180, nozzleTarget: 221, leftTarget: 181 })
  const { summary } = store.summary('x1c')
  t.same(['tool', 'tool_1', 'tool_target', 'tool_1_target'].map(name => summary[name]?.last), [220, 180, 221, 181])
})

t.test('sixty minutes, to the second', async t => {
  const { store, record, clock } = storeAt()
  record(0, { bed: 1 })
  record(0.5, { bed: 2, bedTarget: 60 })
  record(3600, { bed: 3, bedTarget: 60 })
  const values = () => store.series('x1c', 'bed')?.series.data.map(({ v }) => v)
  t.same(values(), [1, 2, 3], 'exactly sixty minutes is still there')
  clock.s = 3600.001
  t.same(values(), [2, 3], 'a moment later it is not, without a report')
  t.equal(store.data('x1c').events.length, 1)
  clock.s = 3600.501
  t.same(values(), [3])
  t.same(store.data('x1c').events, [])
  clock.s = 7200.5
  t.same(values(), [])
  t.same(store.summary('x1c').summary.bed, { count: 0, min: null, max: null, avg: null, last: null })
})

t.test('statistics: two decimals, and what was last', async t => {
  const { store, record } = storeAt()
  for (const [at, bed] of [20, 40.333, 60.111].entries()) record(at, { bed })
  t.same(store.summary('x1c').summary.bed, { count: 3, min: 20, max: 60.11, avg: 40.15, last: 60.11 })
})

t.test('what cannot be read is 0, what there is not has no point, and nothing is ever NaN', async t => {
  const odd = { nan: NaN, infinite: Infinity, missing: undefined, small: 0.0123, large: 123_456.78 }
  const collections = Object.entries(odd).map(([name, value]) => defineCollection({ name, unit: '', read: () => value }))
  const { store, record } = storeAt({ collections })
  record(0)
  const { collections: data } = store.data('x1c')
  t.same(Object.values(data).map(({ name, data: [point] }) => [name, point?.v]),
    [['nan', 0], ['infinite', 0], ['missing', undefined], ['small', 0.0123], ['large', 123_456.78]])
  t.notMatch(JSON.stringify([store.data('x1c'), store.summary('x1c').summary.nan]), /null|NaN/)
})

t.test('time in each state of the job, until a job with another name begins', async t => {
  const { store, record } = storeAt()
  const durations = () => store.data('x1c').gcode_state_durations
  record(0, { gcodeState: '' })
  record(1, { gcodeState: '' })
  t.same(durations(), {}, 'no state is no key')
  record(3, { gcodeState: 'PREPARE', subtaskName: 'cube' })
  record(10, { gcodeState: 'RUNNING', subtaskName: 'cube' })
  record(12.25, { gcodeState: 'RUNNING', subtaskName: 'cube' })
  t.same(durations(), { PREPARE: 2, RUNNING: 9.25 }, 'the time since the last report belongs to the state reported now')
  record(13, { gcodeState: 'FINISH', subtaskName: '' })
  t.same(durations(), { PREPARE: 2, RUNNING: 9.25, FINISH: 0.75 }, 'a job without a name begins nothing')
  record(14, { gcodeState: 'FAILED', subtaskName: '', cancelled: true })
  t.same(durations(), { PREPARE: 2, RUNNING: 9.25, FINISH: 0.75, FAILED: 1 }, 'the keys are states as reported')
  record(16, { gcodeState: 'PREPARE', subtaskName: 'ball' })
  t.same(durations(), { PREPARE: 2 })
  for (let at = 0; at < 100; at++) record(20 + at, { gcodeState: `STATE${at}`, subtaskName: 'ball' })
  t.ok(Object.keys(durations()).length <= 16, 'made-up states are not counted without end')
})

t.test('marks for targets that were changed', async t => {
  const { store, record } = storeAt()
  const labels = () => store.data('x1c').events.map(({ label }) => label)
  record(0, { bedTarget: 60, nozzleTarget: 200 })
  t.same(labels(), [], 'the first is no change')
  record(1, { bedTarget: 60, nozzleTarget: 220, chamberTarget: 40 })
  record(2, { bedTarget: 0, nozzleTarget: 220, chamberTarget: 40 })
  t.same(store.data('x1c').events, [
    { t: EPOCH_S + 1, label: 'Nozzle → 220°C' },
    { t: EPOCH_S + 1, label: 'Chamber → 40°C' },
    { t: EPOCH_S + 2, label: 'Bed → 0°C' }
  ])
  record(3, { left: 0, nozzleTarget: 100 })
  record(4, { left: 0, leftTarget: 210, nozzleTarget: 110 })
  t.same(labels().slice(4), ['Nozzle 0 → 110°C', 'Nozzle 1 → 210°C'], 'each nozzle of two')
})

t.test('a clock that is put back: the points from later go, the order stands', async t => {
  const { store, record } = storeAt()
  for (const at of [0, 1, 2, 3]) record(at, { bed: at, bedTarget: at })
  record(1.5, { bed: 50, bedTarget: 3 })
  const { collections: { bed }, events } = store.data('x1c')
  t.same(bed?.data.map(({ v }) => v), [0, 1, 50])
  t.same(events.map(({ label }) => label), ['Bed → 1°C'])
  record(-4_000, { gcodeState: 'RUNNING' })
  t.equal(store.data('x1c').collections.bed?.data.length, 1)
  t.ok(Object.values(store.data('x1c').gcode_state_durations).every(seconds => seconds >= 0))
  record(86_400 * 365)
  t.equal(store.data('x1c').collections.bed?.data.length, 1)
})

t.test('documents are made once for each report', async t => {
  const records: HealthRecord[] = []
  const { store, record, clock } = storeAt({ records: () => [...records] })
  record(0)
  const all = () => [store.data('x1c'), store.summary('x1c'), store.history('x1c'), store.series('x1c', 'bed')]
  const first = all()
  clock.s = 10
  t.ok(all().every((document, at) => document === first[at]), 'the same objects, so that their JSON is written once')
  record(11)
  t.ok(all().every((document, at) => document !== first[at]))
  const second = all()
  records.push(recordAt(12))
  t.notOk(all().some(document => second.includes(document)), 'a verdict counts as well')
  const third = all()
  clock.s = 3_601
  t.notOk(all().some(document => third.includes(document)), 'and so does time')
})

t.test('health: the newest sixty records, series and statistics', async t => {
  const records = Array.from({ length: 70 }, (_, at) =>
    recordAt(at, at % 2 ? { diff_score: at / 1000, remaining_min: at } : {}))
  const { store, record } = storeAt({ records: () => records })
  record(0)
  const { health, collections } = store.history('x1c')
  t.same(health, records.slice(10))
  t.ok(collections.bed)
  t.same(store.summary('x1c').health, {
    success_pct: { count: 60, min: 0.9731, max: 0.9731, avg: 0.9731, last: 0.9731 },
    confidence: { count: 60, min: 0.86, max: 0.86, avg: 0.86, last: 0.86 },
    hot_pct: { count: 60, min: 0.2411, max: 0.2411, avg: 0.2411, last: 0.2411 },
    strand_score: { count: 60, min: 0.0123, max: 0.0123, avg: 0.0123, last: 0.0123 },
    diff_score: { count: 30, min: 0.011, max: 0.069, avg: 0.04, last: 0.069 },
    remaining_min: { count: 30, min: 11, max: 69, avg: 40, last: 69 }
  })
  const { series } = store.series('x1c', 'diff_score') ?? {}
  t.equal(series?.data.length, 30, 'records without the value are left out')
  t.same(series?.data[0], { t: EPOCH_S + 11, v: 0.011 })
  const none = storeAt()
  t.notOk('health' in none.store.history('x1c') || 'health' in none.store.summary('x1c'), 'without records no key')
  t.same(none.store.series('x1c', 'confidence'), { field: 'confidence', series: { name: 'confidence', data: [] } })
  t.equal(none.store.series('x1c', 'Bed'), undefined, 'names are exact')
})

t.test('a collection that fails is left out and named once', async t => {
  let calls = 0
  const broken = defineCollection({ name: 'broken', unit: '', read () { calls++; throw new Error('no luck') } })
  const { store, record, logged } = storeAt({ collections: [broken, ...COLLECTIONS] })
  for (const at of [0, 1, 2]) record(at)
  store.record('other', stateAt(0))
  t.equal(calls, 1)
  t.match(logged.filter(({ collection }) => collection === 'broken'), [{ plugin: 'outside', err: { message: 'no luck' } }])
  t.same(store.data('x1c').collections.broken?.data, [])
  t.equal(store.data('x1c').collections.bed?.data.length, 3, 'the others go on')
})

t.test('a printer that is gone for good takes its history along', async t => {
  const { store, record } = storeAt()
  record(0)
  store.forget('x1c')
  t.same(store.data('x1c').collections.bed?.data, [])
})

t.test('of many printers that are read but silent the oldest documents go', async t => {
  const { store } = storeAt()
  const first = store.data('printer 0')
  for (let at = 1; at < 16; at++) store.data(`printer ${at}`)
  t.equal(store.data('printer 0'), first)
  store.data('printer 16')
  t.not(store.data('printer 0'), first, 'made anew')
  t.same(store.data('printer 0'), first)
})

t.test('the JSON is that of the documents, though it is not made from them', async t => {
  const read = (state: PrinterState) => state.receivedAt % 3 === 0 ? undefined : (state.receivedAt % 7 - 3) * 1e38
  const odd = defineCollection({ name: 'odd "name"', unit: '', read })
  const { store, record } = storeAt({ collections: [...COLLECTIONS, odd] })
  const same = (what: string, document: object | undefined) =>
    t.same(JSON.parse(jsonBytes(document, text => text).toString()), JSON.parse(JSON.stringify(document)), what)
  const sameText = (what: string, document: object | undefined) =>
    t.equal(jsonBytes(document, text => text).toString(), JSON.stringify(document), what)
  sameText('nothing', store.data('x1c'))
  for (let at = 0; at < 500; at++) {
    record(at * 1.001, { bed: at % 9 < 4 ? 60 : 60 + at / 7, nozzle: at % 2 ? -0.00001 : 219.93751, gcodeState: 'RUNNING' })
  }
  sameText('data', store.data('x1c'))
  sameText('history', store.history('x1c'))
  for (const name of [...NAMES, odd.name]) sameText(name, store.series('x1c', name))
  same('summary', store.summary('x1c'))
})

t.test('with records of health the JSON has them at its end', async t => {
  const health = [recordAt(EPOCH_S)]
  const { store, record } = storeAt({ records: () => health })
  record(1)
  t.equal(jsonBytes(store.history('x1c'), text => text).toString(), JSON.stringify(store.history('x1c')))
  t.match(JSON.parse(jsonBytes(store.history('x1c'), text => text).toString()), { health })
})

t.test('an outline has the lowest and the highest of every stretch, and both ends', async t => {
  const { store, record } = storeAt()
  for (let at = 0; at <= 3_000; at++) record(at, { bed: at === 1_234 ? 90 : at === 2_000 ? 1 : 60 })
  const bed = store.outline('x1c').collections.bed?.data ?? []
  const all = store.data('x1c').collections.bed?.data ?? []
  t.ok(bed.length > 200 && bed.length <= 514, `${bed.length} points`)
  t.same([bed[0], bed.at(-1)], [all[0], all.at(-1)])
  t.same(bed.filter(({ v }) => v !== 60).map(({ t, v }) => [t - EPOCH_S, v]), [[1_234, 90], [2_000, 1]])
  t.same(store.outline('x1c').collections.tool_1?.data, [])
  t.same(store.outline('x1c').events, store.data('x1c').events)
})

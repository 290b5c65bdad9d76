import t, { type Test } from 'tap'
import { createKernel, definePlugin, definePreset } from '../../../core/index.js'
import filament from '../../../plugins/filament/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import state from '../../../plugins/state/index.js'
import system from '../../../plugins/system/index.js'
import telemetry, { defineCollection, type Collection, type HealthRecord } from '../../../plugins/telemetry/index.js'
import { boot, type BootOptions } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { recordAt } from './states.js'
import { testFolder } from '../../helpers/folder.js'

const records: HealthRecord[] = []

const outside = (collections: readonly Collection[] = [], name = 'outside') =>
  definePlugin({ name, version: '1.0.0', kernel: '*', contributes: { collections, healthHistory: [{ records: () => records }] } })

const parts = [openapi, http, mcp, filament, system, state, telemetry]
const start = (t: Test, options: BootOptions = {}, collections: readonly Collection[] = []) =>
  boot(t, { preset: definePreset({ name: 'telemetry', plugins: [parts, outside(collections)] }), ...options })

t.test('what a printer reports is there, in all three forms', async t => {
  const { http, printer, kernel, name } = await start(t)
  printer.patch({ bed_temper: 31.5, bed_target_temper: 60 })
  await eventually(() => kernel.printers.get(name)?.state?.heat.bed.target === 60)
  const { status, body } = await http('GET', '/api/monitoring_data', { printer: name })
  t.equal(status, 200)
  t.same(Object.keys(body), ['collections', 'gcode_state_durations', 'events'])
  t.equal(Object.keys(body.collections).length, 12)
  t.ok(body.collections.bed.data.some(({ v }: { v: number }) => v === 31.5))
  t.ok(Math.abs(body.collections.bed.data.at(-1).t - Date.now() / 1000) < 60, 'seconds since the epoch')
  t.match(body.events, [{ t: Number, label: 'Bed → 60°C' }])
  t.same(body.gcode_state_durations.IDLE >= 0, true)

  const { body: summary } = await http('GET', '/api/monitoring_history')
  t.same(Object.keys(summary), ['summary', 'gcode_state_durations'])
  t.match(summary.summary.bed, { count: Number, min: Number, max: Number, avg: Number, last: Number })
  const { body: raw } = await http('GET', '/api/monitoring_history', { raw: 'true' })
  t.same(Object.keys(raw), ['collections', 'gcode_state_durations', 'events'])
  const { body: series } = await http('GET', '/api/monitoring_series', { field: 'bed_target' })
  t.equal(series.field, 'bed_target')
  t.equal(series.series.name, 'bed_target')
  t.equal(series.series.data.at(-1).v, 60)
})

t.test('records of the job monitor come along as soon as there are any', async t => {
  const { http } = await start(t)
  t.same((await http('GET', '/api/monitoring_series', { field: 'confidence' })).body.series.data, [])
  records.push(recordAt(0), recordAt(60, { confidence: null, diff_score: 0.02 }))
  t.teardown(() => { records.length = 0 })
  t.same((await http('GET', '/api/monitoring_history', { raw: 'true' })).body.health, records)
  t.match((await http('GET', '/api/monitoring_history')).body.health, {
    confidence: { count: 1, last: 0.86 },
    diff_score: { count: 1, last: 0.02 },
    remaining_min: { count: 0, min: null, last: null }
  })
  t.same((await http('GET', '/api/monitoring_series', { field: 'diff_score' })).body.series.data, [{ t: records[1]?.ts, v: 0.02 }])
})

t.test('requests that make no sense', async t => {
  const { http } = await start(t)
  const series = (params: object) => http('GET', '/api/monitoring_series', params as Record<string, unknown>)
  t.match(await series({}), { status: 400, body: { error: 'field parameter required' } })
  t.match(await series({ field: '' }), { status: 400, body: { error: 'field parameter required' } })
  for (const field of ['Bed', 'bed ', 'nothing', '__proto__', 'constructor']) {
    t.match(await series({ field }), { status: 400, body: { error: `Unknown field: '${field}'` } })
  }
  for (const path of ['/api/monitoring_data', '/api/monitoring_history', '/api/monitoring_series?field=bed']) {
    const url = path.includes('?') ? `${path}&printer=none` : `${path}?printer=none`
    t.match(await http('GET', url), { status: 400, body: { error: 'not_connected' } }, path)
  }
})

t.test('the tools give addresses that lead to the same', async t => {
  const { tool, http, name } = await start(t, { models: [{ model: 'X1C', name: 'my x1c+ü & 1' }] })
  const urls = await Promise.all([
    tool('get_monitoring_data', { name }), tool('get_monitoring_history', { name }),
    tool('get_monitoring_history', { name, raw: true }), tool('get_monitoring_series', { name, field: 'bed' })
  ])
  for (const { value, failed } of urls) {
    t.notOk(failed)
    const { pathname, search, port } = new URL(value.url)
    t.equal(port, '49152', 'while no port is bound')
    t.equal((await http('GET', pathname + search)).status, 200, value.url)
  }
  t.match(urls[1]?.value.url, /raw=false$/)
  t.match(urls[2]?.value.url, /raw=true$/)
  t.match(await tool('get_monitoring_series', { name, field: 'Bed' }), { failed: true, value: { error: 'invalid_field', detail: /Bed/ } })
  t.match((await tool('get_monitoring_series', { name, field: 'confidence' })).value, { url: /field=confidence$/ })
  t.match(await tool('get_monitoring_data', { name: 'none' }), { failed: true, value: { error: 'not_connected' } })
})

t.test('no points while the session is paused; a session begun anew goes on, a removed printer is gone', async t => {
  const { kernel, name } = await start(t)
  const { telemetry: store } = kernel.services
  const points = () => store.data(name).collections.bed?.data.length ?? 0
  const session = kernel.printers.get(name)
  await eventually(() => points() > 0)
  await session?.pause()
  const before = points()
  session?.rememberChamberTarget(40)
  t.equal(points(), before)
  await kernel.printers.connect(name)
  await eventually(() => points() > before, 10_000)
  await kernel.printers.remove(name)
  t.equal(points(), 0)
})

t.test('replies are written once for each report', async t => {
  const { kernel, http } = await start(t, { models: ['P1S'] })
  const { telemetry: store } = kernel.services
  const [name = ''] = kernel.printers.names
  await kernel.printers.get(name)?.pause()
  const reply = await http('GET', '/api/monitoring_data')
  const document = store.data(name)
  t.equal(store.data(name), document)
  t.same(reply.body, document)
  const stringify = t.capture(JSON, 'stringify', JSON.stringify)
  t.equal((await http('GET', '/api/monitoring_data')).text, reply.text)
  t.notOk(stringify().some(({ args: [value] }) => value === document), 'not again')
})

t.test('collections of other plugins', async t => {
  const wifi = defineCollection({ name: 'wifi', unit: 'dBm', read: ({ device }) => parseInt(device.wifiSignal) })
  const { http, tool, name } = await start(t, {}, [wifi])
  const { body } = await http('GET', '/api/monitoring_series', { field: 'wifi' })
  t.ok(body.series.data.at(-1).v < 0)
  t.ok((await http('GET', '/api/monitoring_data')).body.collections.wifi)
  t.notOk((await tool('get_monitoring_series', { name, field: 'wifi' })).failed)
})

t.test('collections that cannot be: the start stops and names them', async t => {
  const read = () => 1
  const cases: readonly (readonly [Collection[], RegExp])[] = [
    [[{ name: 'bed', unit: '°C', read }], /Collection 'bed' of plugin 'second': plugin 'telemetry' has one of the same name/],
    [[{ name: 'same', unit: '', read }], /Collection 'same' of plugin 'second': plugin 'first' has one of the same name/],
    [[{ name: 'confidence', unit: '', read }], /'confidence' of plugin 'second': the job monitor has a value/],
    [[{ name: 'Bad name', unit: '', read }], /'Bad name' of plugin 'second': the name must be/],
    [[{ name: 'x', unit: '', read: 5 as never }], /'x' of plugin 'second': read must be a function/]
  ]
  for (const [collections, message] of cases) {
    const first = outside([{ name: 'same', unit: '', read }], 'first')
    const kernel = await createKernel(definePreset({ name: 'bad', plugins: [parts, first, outside(collections, 'second')] }),
      { dataDir: testFolder(t), log: { file: false } })
    await t.rejects(kernel.start({ listen: false }), { message })
    await kernel.close()
  }
})

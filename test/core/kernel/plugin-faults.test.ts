import t from 'tap'
import { createEmitter } from '../../../core/util/emitter.js'
import { createPluginFaults, MAX_FAILURES, FAILURE_WINDOW_MS } from '../../../core/kernel/plugin-faults.js'
import { BadInput, PluginLate } from '../../../core/errors.js'

interface Line { readonly fields: Record<string, unknown>, readonly message: string }

/** An isolation in which `outside` is a plugin of the configuration, with a clock of its own. */
function make () {
  const lines: Line[] = []
  const clock = { ms: 1_000 }
  const log = { error: (fields: Record<string, unknown>, message: string) => { lines.push({ fields, message }) } }
  const pluginFaults = createPluginFaults({ outside: new Set(['outside']), now: () => clock.ms, log: log as never })
  return { pluginFaults, lines, clock, messages: () => lines.map(({ message }) => message) }
}

t.test('what must not fail is cut off at once and for good, whoever owns it', async t => {
  const { pluginFaults, clock, lines } = make()
  const part = pluginFaults.guard('alerts', 'alert rule', 'x', { once: true })
  t.notOk(part.isDisabled)
  part.failed(new Error('no luck'), { printer: 'a1' })
  t.ok(part.isDisabled)
  t.equal(lines[0]?.message, "alert rule 'x' of plugin 'alerts' failed and is disabled")
  t.match(lines[0]?.fields, { plugin: 'alerts', printer: 'a1', err: { message: 'no luck' } })
  clock.ms += 10 * FAILURE_WINDOW_MS
  t.ok(part.isDisabled)
  t.same(pluginFaults.faults('alerts'), [{ part: "alert rule 'x'", count: 1, message: 'no luck', at: 1_000, cutOff: true }])
})

t.test('anything else may fail some times, and is tried anew after a while', async t => {
  const { pluginFaults, clock, messages } = make()
  const part = pluginFaults.guard('outside', 'chart', 'x')
  for (let time = 1; time < MAX_FAILURES; time++) part.failed(new Error(`${time}`))
  t.notOk(part.isDisabled)
  t.same(messages(), ["chart 'x' of plugin 'outside' failed"], 'said once')
  part.failed('text')
  t.ok(part.isDisabled)
  t.equal(messages()[1], "chart 'x' of plugin 'outside' failed and is disabled")
  t.match(pluginFaults.faults('outside'), [{ count: MAX_FAILURES, message: 'text', cutOff: true }])
  clock.ms += FAILURE_WINDOW_MS
  t.notOk(part.isDisabled)
  part.failed(new Error('again'))
  t.equal(messages().length, 3, 'it is news again')
  t.notOk(part.isDisabled)
})

t.test('failures that lie far apart never cut anything off', async t => {
  const { pluginFaults, clock } = make()
  const part = pluginFaults.guard('outside', 'gauge', 'x')
  for (let time = 0; time < 3 * MAX_FAILURES; time++) {
    part.failed(new Error('now and then'))
    clock.ms += FAILURE_WINDOW_MS
    t.notOk(part.isDisabled)
  }
})

t.test('what belongs to the application is counted and named, and goes on', async t => {
  const { pluginFaults, messages } = make()
  const part = pluginFaults.guard('charts', 'chart', 'x')
  for (let time = 0; time < 3 * MAX_FAILURES; time++) {
    part.failed(new Error('no ink'))
  }
  t.notOk(part.isDisabled)
  t.equal(messages().length, 1)
  t.match(pluginFaults.faults('charts'), [{ count: 3 * MAX_FAILURES, cutOff: false }])
})

t.test('a part has one record, and nothing is recorded of what works', async t => {
  const { pluginFaults } = make()
  t.equal(pluginFaults.guard('outside', 'chart', 'x'), pluginFaults.guard('outside', 'chart', 'x'))
  t.not(pluginFaults.guard('outside', 'chart', 'x'), pluginFaults.guard('outside', 'chart', 'y'))
  t.same(pluginFaults.faults('outside'), [])
  t.same(pluginFaults.faults('nobody'), [])
})

t.test('whatever is thrown has words', async t => {
  const { pluginFaults } = make()
  const part = pluginFaults.guard('outside', 'chart', 'x')
  const wordless = { toString () { throw new Error('not even that') } }
  for (const [thrown, words] of [[undefined, 'undefined'], [new Error('plain'), 'plain'],
    [wordless, 'something without words was thrown']] as const) {
    part.failed(thrown)
    t.equal(pluginFaults.faults('outside')[0]?.message, words)
  }
})

t.test('a listener is known for the plugin that added it, wherever it is called from', async t => {
  const { pluginFaults, lines } = make()
  const failures: unknown[] = []
  const events = createEmitter<{ tick: [number] }>(error => failures.push(error))
  const heard: number[] = []
  pluginFaults.runAs('outside', () => {
    events.on('tick', () => { throw new Error('boom') })
    events.on('tick', async () => { throw new Error('later') })
  })
  events.on('tick', number => heard.push(number))
  events.on('tick', () => { throw new Error('of nobody') })
  events.emit('tick', 1)
  await Promise.resolve()
  t.same(failures.map(error => (error as Error).message), ['of nobody'])
  t.match(pluginFaults.faults('outside'), [{ part: "listener 'tick'", count: 2, message: 'later' }])
  t.match(lines, [{ fields: { plugin: 'outside', err: { message: 'boom' } } }])
  for (let time = 0; time < MAX_FAILURES; time++) events.emit('tick', 2)
  await Promise.resolve()
  const { count } = pluginFaults.faults('outside')[0] ?? {}
  events.emit('tick', 3)
  await Promise.resolve()
  t.equal(pluginFaults.faults('outside')[0]?.count, count, 'it is not called any more')
  t.equal(heard.at(-1), 3, 'the others are')
})

t.test('what a listener adds is its plugin\'s too', async t => {
  const { pluginFaults } = make()
  const events = createEmitter<{ outer: [], inner: [] }>(error => { throw error })
  pluginFaults.runAs('outside', () => events.on('outer', () => {
    events.on('inner', () => { throw new Error('deep') })
  }))
  events.emit('outer')
  t.doesNotThrow(() => events.emit('inner'))
  t.match(pluginFaults.faults('outside'), [{ part: "listener 'inner'", message: 'deep' }])
})

const boom = () => { throw new Error('boom') }
const expected = () => { throw new BadInput('too hot') }

t.test('work that others do not depend on: a failure is recorded and goes no further', async t => {
  const { pluginFaults, lines } = make()
  const guard = pluginFaults.guard('outside', 'chart', 'x')
  t.equal(guard.run(() => 'drawn'), 'drawn')
  t.equal(await guard.run(async () => 'drawn later'), 'drawn later')
  t.same(pluginFaults.faults('outside'), [])
  t.equal(guard.run(boom, { printer: 'a1' }), undefined)
  t.match(lines[0]?.fields, { printer: 'a1', plugin: 'outside' })
  t.equal(await guard.run(async () => boom()), undefined, 'now or later')
  t.match(pluginFaults.faults('outside'), [{ count: 2, message: 'boom' }])
  for (let time = 0; time < MAX_FAILURES; time++) guard.run(boom)
  t.equal(guard.run(() => 'drawn'), undefined, 'it is disabled')
})

t.test('work whose caller is told: what is unforeseen is recorded too', async t => {
  const { pluginFaults } = make()
  const guard = pluginFaults.guard('outside', 'operation', 'x')
  const countOf = () => pluginFaults.faults('outside')[0]?.count ?? 0
  t.equal(guard.call(() => 1), 1)
  t.throws(() => guard.call(expected), { message: 'too hot' })
  t.equal(countOf(), 0, 'a refusal is no fault')
  t.throws(() => guard.call(boom), { message: 'boom' })
  await t.rejects(guard.call(async () => boom()), { message: 'boom' })
  t.equal(countOf(), 2)
  t.throws(() => guard.call(boom, AbortSignal.abort()), { message: 'boom' })
  t.equal(countOf(), 2, 'nobody waited for it')
  t.throws(() => guard.call(() => { throw new PluginLate('x', 'outside', 1) }), { code: 'PRN_ERR_PLUGIN_LATE' })
  t.equal(countOf(), 3, 'being late is a fault')
  for (let time = 0; time < MAX_FAILURES; time++) t.throws(() => guard.call(boom))
  t.throws(() => guard.call(() => 1), {
    code: 'PRN_ERR_PLUGIN_CUT_OFF', message: /^'x' of plugin 'outside' failed too often/
  })
})

t.test('what runs in a guard is known for its plugin, and what comes after is not', async t => {
  const { pluginFaults } = make()
  const events = createEmitter<{ tick: [] }>(() => {})
  pluginFaults.guard('outside', 'chart', 'x').run(() => { events.on('tick', boom) })
  pluginFaults.guard('outside', 'chart', 'x').run(boom)
  events.on('tick', () => { throw new Error('of nobody') })
  events.emit('tick')
  t.match(pluginFaults.faults('outside'), [{ part: "chart 'x'", count: 1 }, { part: "listener 'tick'", count: 1 }])
})

t.test('what fails because the service ends is nobody\'s fault', async t => {
  const end = new AbortController()
  const pluginFaults = createPluginFaults({
    outside: new Set(), now: Date.now, log: { error: () => {} } as never, signal: end.signal
  })
  const guard = pluginFaults.guard('charts', 'chart', 'x', { once: true })
  end.abort()
  guard.run(boom)
  t.same(pluginFaults.faults('charts'), [])
  t.notOk(guard.isDisabled)
})

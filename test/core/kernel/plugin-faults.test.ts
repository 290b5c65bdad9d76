import t from 'tap'
import { createEmitter } from '../../../core/util/emitter.js'
import { createPluginFaults, MAX_FAILURES, FAILURE_WINDOW_MS } from '../../../core/kernel/plugin-faults.js'
import { boundedLog, ownEvents } from '../../../core/kernel/plugin-scope.js'
import type { Events } from '../../../core/index.js'

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
  t.equal(lines[0]?.message, "alert rule 'x' of plugin 'alerts' failed and is cut off")
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
  t.equal(messages()[1], "chart 'x' of plugin 'outside' failed and is cut off")
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
  const part = pluginFaults.guard('charts', 'chart', 'x', { most: 1 })
  for (let time = 0; time < 3 * MAX_FAILURES; time++) {
    part.failed(new Error('no ink'))
    t.ok(part.allow())
  }
  t.notOk(part.isDisabled)
  t.equal(messages().length, 1)
  t.match(pluginFaults.faults('charts'), [{ count: 3 * MAX_FAILURES, cutOff: false }])
})

t.test('too much in a minute is dropped for the rest of it', async t => {
  const { pluginFaults, clock, messages } = make()
  const part = pluginFaults.guard('outside', 'alert rule', 'x', { most: 3 })
  const allowed = () => [1, 2, 3, 4, 5].map(() => part.allow())
  t.same(allowed(), [true, true, true, false, false])
  t.ok(part.isDisabled)
  t.same(messages(), ["alert rule 'x' of plugin 'outside' is too much and is cut off for the rest of the minute"])
  t.match(pluginFaults.faults('outside'), [{ count: 1, message: 'it made more than 3 in a minute', cutOff: true }])
  clock.ms += 60_000
  t.notOk(part.isDisabled)
  t.same(allowed(), [true, true, true, false, false])
  t.match(pluginFaults.faults('outside'), [{ count: 2 }])
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
  pluginFaults.as('outside', () => {
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
  pluginFaults.as('outside', () => events.on('outer', () => {
    events.on('inner', () => { throw new Error('deep') })
  }))
  events.emit('outer')
  t.doesNotThrow(() => events.emit('inner'))
  t.match(pluginFaults.faults('outside'), [{ part: "listener 'inner'", message: 'deep' }])
})

t.test('a plugin that emits without end is heard up to a bound', async t => {
  const { pluginFaults } = make()
  const events = createEmitter<Events>()
  let heard = 0
  events.on('printer:forgotten', () => { heard++ })
  const own = ownEvents(pluginFaults, 'outside', events)
  for (let time = 0; time < 40_000; time++) own.emit('printer:forgotten', 'a1')
  t.equal(heard, 30_000)
  t.match(pluginFaults.faults('outside'), [{ part: 'what it emits', cutOff: true }])
  ownEvents(pluginFaults, 'alerts', events).emit('printer:forgotten', 'a1')
  t.equal(heard, 30_001, 'the others are heard')
})

t.test('a plugin that logs without end is silenced, and lines that nobody would see do not count', async t => {
  const { pluginFaults, clock } = make()
  const written: unknown[] = []
  const log = {
    isLevelEnabled: (level: string) => level !== 'debug',
    error: (...args: unknown[]) => { written.push(args) },
    debug: () => {},
    child () { return log }
  }
  const own = boundedLog(pluginFaults, 'outside', log as never)
  for (let time = 0; time < 5_000; time++) own.debug('nothing')
  t.same(pluginFaults.faults('outside'), [])
  for (let time = 0; time < 1_000; time++) own.child({}).error({ time }, 'help')
  t.equal(written.length, 600)
  clock.ms += 60_000
  own.error('again')
  t.equal(written.length, 601)
  t.equal(boundedLog(pluginFaults, 'alerts', log as never), log, 'only of plugins from outside')
})

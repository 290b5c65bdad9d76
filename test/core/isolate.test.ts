import t from 'tap'
import { createEmitter } from '../../core/emitter.js'
import { createIsolation, STRIKES, STRIKES_MS } from '../../core/isolate.js'
import { boundedLog, ownEvents } from '../../core/own.js'
import type { Events } from '../../core/index.js'

interface Line { readonly fields: Record<string, unknown>, readonly message: string }

/** An isolation in which `outside` is a plugin of the configuration, with a clock of its own. */
function make () {
  const lines: Line[] = []
  const clock = { ms: 1_000 }
  const log = { error: (fields: Record<string, unknown>, message: string) => { lines.push({ fields, message }) } }
  const isolation = createIsolation({ outside: new Set(['outside']), now: () => clock.ms, log: log as never })
  return { isolation, lines, clock, messages: () => lines.map(({ message }) => message) }
}

t.test('what must not fail is cut off at once and for good, whoever owns it', async t => {
  const { isolation, clock, lines } = make()
  const part = isolation.part('alerts', 'alert rule', 'x', { once: true })
  t.notOk(part.cut)
  part.failed(new Error('no luck'), { printer: 'a1' })
  t.ok(part.cut)
  t.equal(lines[0]?.message, "alert rule 'x' of plugin 'alerts' failed and is cut off")
  t.match(lines[0]?.fields, { plugin: 'alerts', printer: 'a1', err: { message: 'no luck' } })
  clock.ms += 10 * STRIKES_MS
  t.ok(part.cut)
  t.same(isolation.faults('alerts'), [{ part: "alert rule 'x'", count: 1, message: 'no luck', at: 1_000, cutOff: true }])
})

t.test('anything else may fail some times, and is tried anew after a while', async t => {
  const { isolation, clock, messages } = make()
  const part = isolation.part('outside', 'chart', 'x')
  for (let time = 1; time < STRIKES; time++) part.failed(new Error(`${time}`))
  t.notOk(part.cut)
  t.same(messages(), ["chart 'x' of plugin 'outside' failed"], 'said once')
  part.failed('text')
  t.ok(part.cut)
  t.equal(messages()[1], "chart 'x' of plugin 'outside' failed and is cut off")
  t.match(isolation.faults('outside'), [{ count: STRIKES, message: 'text', cutOff: true }])
  clock.ms += STRIKES_MS
  t.notOk(part.cut)
  part.failed(new Error('again'))
  t.equal(messages().length, 3, 'it is news again')
  t.notOk(part.cut)
})

t.test('failures that lie far apart never cut anything off', async t => {
  const { isolation, clock } = make()
  const part = isolation.part('outside', 'gauge', 'x')
  for (let time = 0; time < 3 * STRIKES; time++) {
    part.failed(new Error('now and then'))
    clock.ms += STRIKES_MS
    t.notOk(part.cut)
  }
})

t.test('what belongs to the application is counted and named, and goes on', async t => {
  const { isolation, messages } = make()
  const part = isolation.part('charts', 'chart', 'x', { most: 1 })
  for (let time = 0; time < 3 * STRIKES; time++) {
    part.failed(new Error('no ink'))
    t.ok(part.allow())
  }
  t.notOk(part.cut)
  t.equal(messages().length, 1)
  t.match(isolation.faults('charts'), [{ count: 3 * STRIKES, cutOff: false }])
})

t.test('too much in a minute is dropped for the rest of it', async t => {
  const { isolation, clock, messages } = make()
  const part = isolation.part('outside', 'alert rule', 'x', { most: 3 })
  const allowed = () => [1, 2, 3, 4, 5].map(() => part.allow())
  t.same(allowed(), [true, true, true, false, false])
  t.ok(part.cut)
  t.same(messages(), ["alert rule 'x' of plugin 'outside' is too much and is cut off for the rest of the minute"])
  t.match(isolation.faults('outside'), [{ count: 1, message: 'it made more than 3 in a minute', cutOff: true }])
  clock.ms += 60_000
  t.notOk(part.cut)
  t.same(allowed(), [true, true, true, false, false])
  t.match(isolation.faults('outside'), [{ count: 2 }])
})

t.test('a part has one record, and nothing is recorded of what works', async t => {
  const { isolation } = make()
  t.equal(isolation.part('outside', 'chart', 'x'), isolation.part('outside', 'chart', 'x'))
  t.not(isolation.part('outside', 'chart', 'x'), isolation.part('outside', 'chart', 'y'))
  t.same(isolation.faults('outside'), [])
  t.same(isolation.faults('nobody'), [])
})

t.test('whatever is thrown has words', async t => {
  const { isolation } = make()
  const part = isolation.part('outside', 'chart', 'x')
  const wordless = { toString () { throw new Error('not even that') } }
  for (const [thrown, words] of [[undefined, 'undefined'], [new Error('plain'), 'plain'],
    [wordless, 'something without words was thrown']] as const) {
    part.failed(thrown)
    t.equal(isolation.faults('outside')[0]?.message, words)
  }
})

t.test('a listener is known for the plugin that added it, wherever it is called from', async t => {
  const { isolation, lines } = make()
  const failures: unknown[] = []
  const events = createEmitter<{ tick: [number] }>(error => failures.push(error))
  const heard: number[] = []
  isolation.as('outside', () => {
    events.on('tick', () => { throw new Error('boom') })
    events.on('tick', async () => { throw new Error('later') })
  })
  events.on('tick', number => heard.push(number))
  events.on('tick', () => { throw new Error('of nobody') })
  events.emit('tick', 1)
  await Promise.resolve()
  t.same(failures.map(error => (error as Error).message), ['of nobody'])
  t.match(isolation.faults('outside'), [{ part: "listener 'tick'", count: 2, message: 'later' }])
  t.match(lines, [{ fields: { plugin: 'outside', err: { message: 'boom' } } }])
  for (let time = 0; time < STRIKES; time++) events.emit('tick', 2)
  await Promise.resolve()
  const { count } = isolation.faults('outside')[0] ?? {}
  events.emit('tick', 3)
  await Promise.resolve()
  t.equal(isolation.faults('outside')[0]?.count, count, 'it is not called any more')
  t.equal(heard.at(-1), 3, 'the others are')
})

t.test('what a listener adds is its plugin\'s too', async t => {
  const { isolation } = make()
  const events = createEmitter<{ outer: [], inner: [] }>(error => { throw error })
  isolation.as('outside', () => events.on('outer', () => {
    events.on('inner', () => { throw new Error('deep') })
  }))
  events.emit('outer')
  t.doesNotThrow(() => events.emit('inner'))
  t.match(isolation.faults('outside'), [{ part: "listener 'inner'", message: 'deep' }])
})

t.test('a plugin that emits without end is heard up to a bound', async t => {
  const { isolation } = make()
  const events = createEmitter<Events>()
  let heard = 0
  events.on('printer:forgotten', () => { heard++ })
  const own = ownEvents(isolation, 'outside', events)
  for (let time = 0; time < 40_000; time++) own.emit('printer:forgotten', 'a1')
  t.equal(heard, 30_000)
  t.match(isolation.faults('outside'), [{ part: 'what it emits', cutOff: true }])
  ownEvents(isolation, 'alerts', events).emit('printer:forgotten', 'a1')
  t.equal(heard, 30_001, 'the others are heard')
})

t.test('a plugin that logs without end is silenced, and lines that nobody would see do not count', async t => {
  const { isolation, clock } = make()
  const written: unknown[] = []
  const log = {
    isLevelEnabled: (level: string) => level !== 'debug',
    error: (...args: unknown[]) => { written.push(args) },
    debug: () => {},
    child () { return log }
  }
  const own = boundedLog(isolation, 'outside', log as never)
  for (let time = 0; time < 5_000; time++) own.debug('nothing')
  t.same(isolation.faults('outside'), [])
  for (let time = 0; time < 1_000; time++) own.child({}).error({ time }, 'help')
  t.equal(written.length, 600)
  clock.ms += 60_000
  own.error('again')
  t.equal(written.length, 601)
  t.equal(boundedLog(isolation, 'alerts', log as never), log, 'only of plugins from outside')
})

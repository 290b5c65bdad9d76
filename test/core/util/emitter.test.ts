import t from 'tap'
import { createEmitter } from '../../../core/util/emitter.js'
import { eventually } from '../../helpers/eventually.js'

interface Moments { tick: [count: number, before: number | undefined], end: [] }

t.test('listeners get the arguments, in the order they came', async t => {
  const events = createEmitter<Moments>()
  const heard: unknown[] = []
  events.on('tick', (now, before) => heard.push(['first', now, before]))
  events.on('tick', now => heard.push(['second', now]))
  events.on('end', () => heard.push('end'))
  events.emit('tick', 2, 1)
  t.same(heard, [['first', 2, 1], ['second', 2]])
})

t.test('an event nobody listens to is no error', async t => {
  t.doesNotThrow(() => createEmitter<Moments>().emit('end'))
})

t.test('a disposer removes its own listener and may be called again', async t => {
  const events = createEmitter<Moments>()
  const heard: number[] = []
  const listener = (now: number) => heard.push(now)
  const off = events.on('tick', listener)
  events.on('tick', listener)
  off()
  off()
  events.emit('tick', 1, undefined)
  t.same(heard, [1], 'the same function, listening twice, is told once now')
})

t.test('a listener that throws is told of and stops nobody', async t => {
  const failures: unknown[] = []
  const events = createEmitter<Moments>((error, event) => failures.push([(error as Error).message, event]))
  let reached = false
  events.on('end', () => { throw new Error('boom') })
  events.on('end', () => { reached = true })
  events.emit('end')
  t.ok(reached)
  t.same(failures, [['boom', 'end']])
})

t.test('a listener that rejects is told of too', async t => {
  const failures: string[] = []
  const events = createEmitter<Moments>((error, event) => failures.push(`${event}: ${(error as Error).message}`))
  events.on('end', async () => { throw new Error('later') })
  events.emit('end')
  await eventually(() => failures.length === 1)
  t.same(failures, ['end: later'])
})

t.test('without a handler an error surfaces as an uncaught one', async t => {
  const events = createEmitter<Moments>()
  events.on('end', () => { throw new Error('nobody minds') })
  const later: (() => void)[] = []
  const { queueMicrotask: queue } = globalThis
  globalThis.queueMicrotask = work => { later.push(work) }
  events.emit('end')
  globalThis.queueMicrotask = queue
  t.equal(later.length, 1)
  t.throws(() => later[0]?.(), { message: 'nobody minds' })
})

t.test('listeners added while an event is told hear the next one only', async t => {
  const events = createEmitter<Moments>()
  let late = 0
  events.on('end', () => { events.on('end', () => { late++ }) })
  events.emit('end')
  t.equal(late, 0)
  events.emit('end')
  t.equal(late, 1)
})

t.test('listeners removed while an event is told do not hear it', async t => {
  const events = createEmitter<Moments>()
  let heard = false
  events.on('end', () => off())
  const off = events.on('end', () => { heard = true })
  events.emit('end')
  t.notOk(heard)
})

t.test('once resolves with the next arguments and with no later ones', async t => {
  const events = createEmitter<Moments>()
  const next = events.once('tick')
  events.emit('tick', 7, 6)
  events.emit('tick', 8, 7)
  t.same(await next, [7, 6])
})

t.test('once gives up with the reason of its signal', async t => {
  const events = createEmitter<Moments>()
  const controller = new AbortController()
  const next = events.once('end', { signal: controller.signal })
  controller.abort(new Error('enough'))
  await t.rejects(next, { message: 'enough' })
  await t.rejects(events.once('end', { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' })
})

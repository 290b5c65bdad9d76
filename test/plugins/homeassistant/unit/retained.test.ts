import t from 'tap'
import type { JsonStore } from '../../../../core/index.js'
import { createRetained, type Ledger } from '../../../../plugins/homeassistant/retained.js'
import { createEmitter } from '../../../../core/index.js'

/** A broker that takes messages when it is told to. */
function slowBroker () {
  const waiting: { line: string, done: () => void, fail: (error: Error) => void }[] = []
  const broker = {
    isConnected: true,
    events: createEmitter<{ connected: [], message: [never] }>(),
    publish: (topic: string, payload: string | Buffer, { qos }: { qos: 0 | 1 }) =>
      new Promise<void>((resolve, reject) =>
        waiting.push({ line: `${topic} ${payload.toString()} ${qos}`, done: resolve, fail: reject })),
    close: async () => {}
  }
  return {
    broker,
    waiting,
    lines: () => waiting.map(({ line }) => line),
    async take () {
      for (const { done } of waiting.splice(0)) done()
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

function memory (initial: Ledger = {}): JsonStore<Ledger> {
  let value = initial
  return { path: '', get: () => value, set: async next => { value = next }, settled: async () => {} }
}

const log = { debug () {} }

t.test('only what changed is sent, and never two messages on one topic at once', async t => {
  const { broker, lines, take } = slowBroker()
  const retained = createRetained(broker, memory(), log)
  for (const text of ['1', '2', '3']) retained.put('a', text, 0)
  t.same(lines(), ['a 1 0'], 'a slow broker makes no queue')
  await take()
  retained.put('a', '1', 0)
  t.same(lines(), [], 'it has that')
  retained.put('a', '3', 0)
  t.same(lines(), ['a 3 0'])
  await take()
  retained.renew()
  retained.put('a', '3', 0)
  t.same(lines(), ['a 3 0'], 'it may have forgotten it')
})

t.test('what failed, or was taken by a connection that is gone, is sent again', async t => {
  const { broker, waiting, lines, take } = slowBroker()
  const retained = createRetained(broker, memory(), log)
  retained.put('a', '1', 1)
  waiting.splice(0)[0]?.fail(new Error('gone'))
  await take()
  retained.put('a', '1', 1)
  t.same(lines(), ['a 1 1'])
  const [late] = waiting.splice(0)
  retained.renew()
  late?.done()
  await take()
  retained.put('a', '1', 1)
  t.same(lines(), ['a 1 1'])
})

t.test('while the broker is away nothing is kept for it', async t => {
  const { broker, lines } = slowBroker()
  broker.isConnected = false
  const retained = createRetained(broker, memory(), log)
  for (let at = 0; at < 3600; at++) retained.put('a', String(at), 0)
  t.same(lines(), [])
  broker.isConnected = true
  retained.renew()
  retained.put('a', 'now', 0)
  t.same(lines(), ['a now 0'])
})

t.test('what is no longer wanted is cleared, also after a restart', async t => {
  const store = memory({ old: {}, 'old/config': { light: 'light' }, a: {} })
  const { broker, lines, take } = slowBroker()
  const retained = createRetained(broker, store, log)
  broker.isConnected = false
  retained.clearOthers(new Set(['a']))
  t.same(Object.keys(store.get()), ['old', 'old/config', 'a'], 'not forgotten before the broker has heard of it')
  broker.isConnected = true
  retained.clearOthers(new Set(['a']))
  t.same(lines(), ['old  1', 'old/config  1'])
  await take()
  t.same(store.get(), { a: {} })
})

t.test('components that were announced are remembered', async t => {
  const store = memory()
  const retained = createRetained(slowBroker().broker, store, log)
  t.same(retained.announce('c', { light: 'light', ams_1: 'sensor' }), { light: 'light', ams_1: 'sensor' })
  t.same(retained.announce('c', { light: 'light' }), { light: 'light', ams_1: 'sensor' })
  t.same(store.get(), { c: { light: 'light', ams_1: 'sensor' } })
})

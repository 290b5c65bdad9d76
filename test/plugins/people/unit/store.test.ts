import t from 'tap'
import type { Snapshot } from '../../../../plugins/people/snapshot.js'
import { createStore } from '../../../../plugins/people/store.js'

t.test('what was read earlier and came later does not bring back what has ended', async t => {
  const answers: ((snapshot: Snapshot) => void)[] = []
  const shown: number[] = []
  const query = () => new Promise<Snapshot>(resolve => answers.push(resolve))
  const store = createStore({
    database: { query, change: async () => undefined } as never,
    now: () => 0,
    onChange: ({ keys }) => { shown.push(keys.length) }
  })
  const withKeys = (count: number): Snapshot =>
    ({ users: [], sessions: [], keys: Array.from({ length: count }, () => ({}) as never) })
  const poll = store.read()
  const revoked = store.revokeKey('key')
  await new Promise(resolve => setImmediate(resolve))
  answers[1]?.(withKeys(0))
  await revoked
  answers[0]?.(withKeys(1))
  await poll
  t.same(shown, [0])
  const next = store.read()
  answers[2]?.(withKeys(2))
  await next
  t.same(shown, [0, 2])
})

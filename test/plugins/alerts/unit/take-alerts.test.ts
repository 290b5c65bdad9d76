import t from 'tap'
import { takeAlerts } from '../../../../plugins/alerts/operations.js'
import { createAlertQueue } from '../../../../plugins/alerts/queue.js'
import tools from '../../../../plugins/alerts/tools.js'
import type { Alert } from '../../../../plugins/alerts/index.js'

const READABLE = 25_000

/** The queue of a printer, and what the tool takes from it. */
function desk () {
  const queue = createAlertQueue()
  const input = tools[0]?.input as unknown as (params: object) => { clear: boolean }
  const context = { session: { name: 'x1c' }, services: { alerts: { queue } } } as never
  return {
    queue,
    push: (payload: object) => queue.push({
      type: 'hms_error_new', printer: 'x1c', timestamp: '2026-01-01T00:00:00+00:00', severity: 'high', payload: { ...payload }
    }),
    take: async (params: object = {}) => await takeAlerts.run(context, input(params)) as Alert[]
  }
}

t.test('more alerts than an agent can read are taken in parts, and none gets lost', async t => {
  const { push, take, queue } = desk()
  for (let at = 0; at < 50; at++) push({ at, text: 'x'.repeat(900) })
  const peeked = await take({ clear: false })
  t.ok(peeked.length > 10 && peeked.length < 50)
  t.equal(queue.peek('x1c').length, 50, 'looking takes none')
  const seen: unknown[] = []
  for (let part = await take(); part.length > 0; part = await take()) {
    t.ok(JSON.stringify(part).length < READABLE)
    seen.push(...part.map(({ payload }) => payload.at))
  }
  t.same(seen, Array.from({ length: 50 }, (_, at) => at))
})

t.test('an alert of too many faults shows the first, and says how many are left out', async t => {
  const { push, take } = desk()
  push({ errors: Array.from({ length: 60 }, (_, at) => ({ code: `${at}`, description: 'x'.repeat(900) })), at: 1 })
  const [{ payload } = { payload: {} }] = await take() as any[]
  t.ok(JSON.stringify(payload).length < READABLE)
  t.equal(payload.errors.length + payload.errors_left_out, 60)
  t.match(payload, { errors: [{ code: '0' }], at: 1 })
  t.same(await take(), [])
})

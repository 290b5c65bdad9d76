import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { followAlerts } from '../../../../plugins/fleet/hub/alerts.js'
import { namesOf } from '../../../../plugins/fleet/names.js'
import { signingKeyOf, signMessage } from '../../../../plugins/fleet/signed-message.js'
import { eventually } from '../../../helpers/eventually.js'

const key = signingKeyOf(generateKeyPairSync('ed25519').privateKey)
const subject = namesOf('main').event('hall', 'a')

const message = (number: number) => ({
  subject,
  time: new Date(),
  data: signMessage(key, subject, JSON.stringify({
    journal: 'b1f3a3c0-0000-4000-8000-000000000000',
    number,
    alert: { type: 'job_failed', printer: 'x1c', timestamp: '2026-01-02T03:04:05+00:00', severity: 'high', payload: { number } }
  }))
})

/** A stream that shows these numbers, run by run, and then nothing until it is stopped. */
function streamOf (runs: readonly (readonly number[])[]) {
  let at = 0
  const consume = async () => {
    const numbers = runs[at++] ?? []
    let stop = () => {}
    const stopped = new Promise<void>(resolve => { stop = resolve })
    return {
      stop: () => stop(),
      async * status () {},
      async * [Symbol.asyncIterator] () {
        for (const number of numbers) yield message(number)
        await stopped
      }
    }
  }
  const consumer = { info: async () => ({ created: new Date().toISOString() }), consume }
  return { get runs () { return at }, events: { consumers: { get: async () => consumer } } }
}

function follow (runs: readonly (readonly number[])[]) {
  const stream = streamOf(runs)
  const delivered: unknown[] = []
  const run = followAlerts({
    events: stream.events as never,
    stream: 'events',
    keys: { mayBe: () => true },
    nameOf: (_place, printer) => printer,
    ageMs: () => 60_000,
    deliver: ({ payload }) => { delivered.push(payload.number) },
    rereadMs: 20
  })
  void (async () => { while (stream.runs < runs.length) await run() })()
  return { stream, delivered }
}

t.test('a gap in the numbers of a node is read once more, and each alert is passed on once', async t => {
  const { stream, delivered } = follow([[1, 2, 5], [1, 2, 3, 4, 5, 6]])
  await eventually(() => delivered.length === 6)
  t.same(delivered, [1, 2, 5, 3, 4, 6])
  t.equal(stream.runs, 2)
})

t.test('what the servers have lost for good is not asked for again and again', async t => {
  const { stream, delivered } = follow([[1, 4], [1, 4, 5], [1]])
  await eventually(() => delivered.length === 3)
  await new Promise(resolve => setTimeout(resolve, 100))
  t.same(delivered, [1, 4, 5])
  t.equal(stream.runs, 2, 'the second run goes on')
})

t.test('a node whose first alerts are older than the history has no gap', async t => {
  const { stream, delivered } = follow([[7, 8], [9]])
  await eventually(() => delivered.length === 2)
  await new Promise(resolve => setTimeout(resolve, 100))
  t.same([delivered, stream.runs], [[7, 8], 1])
})

import t from 'tap'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../../../../plugins/rules/engine/engine.js'
import { hashOf } from '../../../../plugins/rules/views.js'
import { serveWebhook } from '../../../../plugins/rules/webhook-route.js'

const SECRET = 'A'.repeat(32)

t.test('wrong secrets of others at the same address do not keep the right one out', async t => {
  let handler: (request: object, reply: object) => Promise<unknown> = async () => {}
  const app = { post: (_path: string, _options: object, given: typeof handler) => { handler = given } }
  const sent = { waitS: () => 5, count () {} }
  const happened: unknown[] = []
  const engine = { index: { hooks: new Map([[hashOf(SECRET), { id: 'r' }]]) }, happened: (rule: unknown) => happened.push(rule) }
  const kernel = { now: Date.now, services: { http: { access: { sent } } } }
  serveWebhook(app as unknown as FastifyInstance, kernel as never, engine as unknown as Engine, async () => {})
  const reply = { code: () => reply, header: () => reply, send: async (body: unknown) => body }
  const call = async (secret: string) => await handler({ ip: '10.0.0.1', params: { secret }, headers: {} }, reply)
  await t.rejects(call('B'.repeat(32)), { code: 'PRN_ERR_TOO_MANY_WEBHOOKS' })
  t.same(await call(SECRET), { accepted: true })
  t.same(happened, [{ id: 'r' }])
})

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Kernel } from '../../core/index.js'
import type { Engine } from './engine/engine.js'
import { NoSuchHook, TooManyHooks } from './errors.js'
import { hashOf } from './views.js'

export const WEBHOOK_PATH = '/api/rules/webhook/:secret'
const MOST_BYTES = 16_384
const MINUTE_MS = 60_000
/** Calls of a rule in a minute. */
const MOST_CALLS = 30
const SECRET = /^[\w-]{32}$/
const KEY = /^[\x21-\x7e]{1,100}$/

/** The address that other programs call. Its secret is all that it needs; what they send is not read. */
export function serveWebhook (app: FastifyInstance, { now, services }: Pick<Kernel, 'now' | 'services'>, engine: Engine,
  open: () => Promise<void>): void {
  const steady = now === Date.now ? () => performance.now() : now
  const { sent: wrong } = services.http.access // a wrong secret counts like a wrong token
  const calls = new Map<string, { since: number, count: number }>()

  function count (rule: string): void {
    const known = calls.get(rule)
    const entry = known !== undefined && steady() - known.since < MINUTE_MS ? known : { since: steady(), count: 0 }
    calls.set(rule, entry)
    if (entry.count++ < MOST_CALLS) return
    const seconds = Math.ceil((entry.since + MINUTE_MS - steady()) / 1000)
    throw new TooManyHooks(seconds).with({ retry_after: seconds })
  }

  const options = { schema: { hide: true } as object, config: { isOpen: true }, bodyLimit: MOST_BYTES }
  app.post(WEBHOOK_PATH, options, async (request, reply) => {
    const { secret } = request.params as { secret: string }
    await open()
    const rule = SECRET.test(secret) ? engine.index.hooks.get(hashOf(secret)) : undefined
    if (rule === undefined) { // a right one is never kept out by wrong ones of others at its address
      const waitS = wrong.waitS(request.ip)
      if (waitS > 0) throw new TooManyHooks(waitS).with({ retry_after: waitS })
      wrong.count(request.ip)
      throw new NoSuchHook()
    }
    count(rule.id)
    const given = request.headers['webhook-id'] ?? request.headers['idempotency-key']
    const key = typeof given === 'string' && KEY.test(given) ? given : randomUUID()
    engine.happened(rule, { key: `webhook:${key}`, at: now(), printer: undefined, fields: {}, source: 'webhook' })
    return await reply.code(202).header('cache-control', 'no-store').send({ accepted: true })
  })
}

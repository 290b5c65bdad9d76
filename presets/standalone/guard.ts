import type { FastifyInstance } from 'fastify'
import { isLoopbackHost, refusalOf, WriteRefused } from '../../plugins/http/index.js'

export interface GuardOptions {
  /** Browsers must prove that a page of ours asks. @default for every request whose `Host` is not loopback */
  readonly strict: boolean | undefined
  /** Origins of other sites that may write. */
  readonly corsOrigins: readonly string[]
}

/** Looks at every request that changes something, whatever its method. */
export function guardWrites (app: FastifyInstance, { strict, corsOrigins }: GuardOptions): void {
  app.addHook('onRequest', ({ method, headers, routeOptions: { config: { face } } }, _reply, next) => {
    const reads = face === undefined ? ['GET', 'HEAD', 'OPTIONS'].includes(method) : face.operation.effect === 'read'
    const rules = { strict: strict ?? !isLoopbackHost(headers), corsOrigins }
    const refusal = reads ? undefined : refusalOf(headers, rules)
    next(refusal === undefined ? undefined : new WriteRefused(refusal))
  })
}

import type { FastifyInstance } from 'fastify'
import { NotAtHub } from '../errors.js'

const AT_NODE = 'ask the service that holds the printer'

/** What other services have and a hub has not, by the beginning of its address. */
const ELSEWHERE: Readonly<Record<string, readonly [what: string, where: string]>> = {
  '/api/queue': ['print queue', AT_NODE]
}

/** Says of them why they are not here, instead of that there is no such thing. */
export function refuseElsewhere (app: FastifyInstance): void {
  for (const [path, [what, where]] of Object.entries(ELSEWHERE)) {
    for (const url of [path, `${path}/*`]) {
      app.all(url, { schema: { hide: true } as object }, () => { throw new NotAtHub(what, where) })
    }
  }
}

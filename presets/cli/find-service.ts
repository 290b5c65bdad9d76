import { defineError, type Config } from '../../core/index.js'

/** A service of ours that does not know us: to start another one beside it would open second sessions. */
export const TokenRefused = defineError<[port: number]>('PRN_ERR_TOKEN_REFUSED',
  'A service runs on port %d and wants another token: set PRN_API_TOKEN (or api.token) to the one it was started with', 401)

const ANSWER_WITHIN_MS = 1_000
/** Looked at together; a pool of 200 closed ports takes a few milliseconds. */
const AT_ONCE = 25

/** How to reach a service of this machine that listens on an address, in a URL. */
export function reachable (host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The address of a service on a port, and what proves that we may use it. */
export const accessTo = ({ api: { host, token } }: Config, port: number) => ({
  base: `http://${reachable(host)}:${port}`,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
})

/**
 * The port of a running service of ours: the preferred one, else the first in the pool that answers as one.
 * @param suits looks closer at one that was found
 * @throws PRN_ERR_TOKEN_REFUSED when there is one that wants another token
 */
export async function findService (config: Config, suits: (port: number) => Promise<boolean> = async () => true):
Promise<number | undefined> {
  const { preferred, start, end } = config.ports
  const pool = Array.from({ length: end - start + 1 }, (_, at) => start + at)
  const candidates = preferred === undefined ? pool : [preferred, ...pool]
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE)
    const found = await Promise.all(some.map(async port => ({ port, is: await look(config, port) })))
    for (const { port, is } of found) {
      if (is === 'locked') throw new TokenRefused(port)
      if (is === 'ours' && await suits(port)) return port
    }
  }
  return undefined
}

async function look (config: Config, port: number): Promise<'ours' | 'locked' | undefined> {
  const { base, headers } = accessTo(config, port)
  try {
    const reply = await fetch(`${base}/api/server_info`, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const body = await reply.json() as { api_port?: unknown, pool_start?: unknown, error?: unknown, status?: unknown }
    if (reply.status === 401) return body.error === 'unauthorized' && body.status === 'error' ? 'locked' : undefined
    return body.api_port === port && typeof body.pool_start === 'number' ? 'ours' : undefined
  } catch {
    return undefined // closed, or somebody else's
  }
}

import type { Config } from '../../core/index.js'

const ANSWER_WITHIN_MS = 1_000
/** Looked at together; a pool of 200 closed ports takes a few milliseconds. */
const AT_ONCE = 25

/** How to reach a service of this machine that listens on an address, in a URL. */
export function reachable (host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The port of a running service of ours: the preferred one, else the first in the pool that answers as one. */
export async function findService ({ ports, api: { host, token } }: Config): Promise<number | undefined> {
  const { preferred, start, end } = ports
  const ask = async (port: number) => await isService(host, port, token) ? port : undefined
  const pool = Array.from({ length: end - start + 1 }, (_, at) => start + at)
  const candidates = preferred === undefined ? pool : [preferred, ...pool]
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const found = await Promise.all(candidates.slice(at, at + AT_ONCE).map(ask))
    const first = found.find(port => port !== undefined)
    if (first !== undefined) return first
  }
  return undefined
}

async function isService (host: string, port: number, token: string | undefined): Promise<boolean> {
  try {
    const reply = await fetch(`http://${reachable(host)}:${port}/api/server_info`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
    })
    const info = await reply.json() as { api_port?: unknown, pool_start?: unknown }
    return info.api_port === port && typeof info.pool_start === 'number'
  } catch {
    return false // closed, or somebody else's
  }
}

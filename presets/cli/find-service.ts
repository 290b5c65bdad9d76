import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'
import { defaultDataDir, defineError, readServiceFile, timeoutSignal, type Config } from '../../core/index.js'
import { IDENTITY_PATH, isProof, localPassOf } from '../../plugins/http/index.js'
import { demoFolder } from '../demo.js'

/** A running service that rejects our token: starting another one would open second sessions. */
export const TokenRefused = defineError<[port: number]>('PRN_ERR_TOKEN_REFUSED',
  'A service runs on port %d and requires a different token: set PRN_API_TOKEN (or api.token) to the one it was started with', 401)
/** Any program may listen on that port, and would receive the token. */
export const NotProven = defineError<[port: number, folder: string]>('PRN_ERR_NOT_PROVEN',
  'The program on port %d requires a token but does not prove that it uses the data folder %s: no token was sent. ' +
  'If it is your service, set PRN_DATA_DIR (or dataDir) to its data folder, or have the agent use its address, ending ' +
  'in /mcp, itself.', 401)

const ANSWER_WITHIN_MS = 1_000
/** Only our own service uses the port in our data folder, so a slow answer is waited for. */
const OURS_WITHIN_MS = 10_000
/** Ports probed concurrently. */
const AT_ONCE = 25
const NONCE_BYTES = 32

/** Local address of a service that listens on `host`. */
const addressOf = (host: string): string => ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host

/** The same for a URL. */
export function reachable (host: string): string {
  const address = addressOf(host)
  return address.includes(':') ? `[${address}]` : address
}

/** A running service, and whether it may receive secrets. */
export interface FoundService {
  readonly port: number
  /** URL without a path. */
  readonly base: string
  /** It proved that it uses our data folder, or that of our demonstrations; only then is the token sent. */
  readonly proven: boolean
  /** `prnd demo`, which has virtual printers and a data folder of its own. */
  readonly isDemo: boolean
  /**
   * Sends a request, with the token if the service is proven. The proof is repeated each time: the service may have
   * ended, and another program may listen on its port.
   */
  readonly fetch: typeof fetch
}

const foldersOf = (config: Config): readonly string[] =>
  [config.dataDir ?? defaultDataDir(), demoFolder(config)]

interface Known { readonly folder: string, readonly key: string, readonly port?: number | undefined }

/** What services of our folders have published, also those that have ended. */
async function knownOf (config: Config): Promise<readonly Known[]> {
  const known = await Promise.all(foldersOf(config).map(async folder => {
    const file = await readServiceFile(folder)
    return file === undefined ? [] : [{ folder, key: file.key, port: file.port }]
  }))
  return known.flat()
}

/** What the program on a port has published, if it uses one of our folders. @throws the connection error */
async function provenBy (config: Config, base: string, port: number, withinMs = OURS_WITHIN_MS):
Promise<Known | undefined> {
  const known = await knownOf(config)
  if (known.length === 0) return undefined
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const reply = await fetch(`${base}${IDENTITY_PATH}?nonce=${nonce}`, { signal: timeoutSignal(withinMs) })
  const { proof } = await reply.json() as { proof?: unknown }
  return known.find(({ key }) => isProof(proof, key, nonce, port))
}

/** Reported like a refused connection: nothing was sent. */
const absent = (port: number) => new Error(`the service that used port ${port} has gone`,
  { cause: Object.assign(new Error('not proven'), { code: 'ECONNREFUSED' }) })

function serviceAt (config: Config, port: number, by: Known | undefined): FoundService {
  const { api: { host, token } } = config
  const base = `http://${reachable(host)}:${port}`
  return {
    port,
    base,
    proven: by !== undefined,
    isDemo: by?.folder === demoFolder(config),
    async fetch (url, init) {
      if (by === undefined) return await fetch(url, init)
      const now = await provenBy(config, base, port).catch(() => undefined)
      if (now?.folder !== by.folder) throw absent(port)
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token ?? localPassOf(now.key)}`) // the second where there are users
      return await fetch(url, { ...init, headers })
    }
  }
}

/** Ports to probe: those in the data folders, the preferred one, and the pool. */
async function candidatesOf (config: Config) {
  const { preferred, start, end } = config.ports
  const ours = (await knownOf(config)).map(({ port }) => port)
  const pool = Array.from({ length: end - start + 1 }, (_, at) => start + at)
  const candidates = [...new Set([...ours, preferred, ...pool])].filter(port => port !== undefined)
  return candidates.map(port => ({ port, withinMs: ours.includes(port) ? OURS_WITHIN_MS : ANSWER_WITHIN_MS }))
}

/**
 * Finds a running service: the one of our data folder, else our demonstration, else one on the preferred port, else the
 * first in the pool.
 * @param suits examines a found service
 * @throws PRN_ERR_TOKEN_REFUSED, PRN_ERR_NOT_PROVEN if there is one that requires a token but does not get it
 */
export async function findService (config: Config, suits: (found: FoundService) => Promise<boolean> = async () => true):
Promise<FoundService | undefined> {
  const candidates = await candidatesOf(config)
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE)
    const found = await Promise.all(some.map(({ port, withinMs }) => probe(config, port, withinMs)))
    for (const each of found) {
      if (each?.locked === true && each.service.isDemo) continue // started with another token: as good as none
      if (each?.locked === true) throw refusalOf(config, each.service)
      if (each !== undefined && await suits(each.service)) return each.service
    }
  }
  return undefined
}

const refusalOf = ({ dataDir = defaultDataDir() }: Config, { port, proven }: FoundService): Error =>
  proven ? new TokenRefused(port) : new NotProven(port, dataDir)

interface Found { readonly service: FoundService, readonly locked: boolean }

/** Most of a pool's hundred ports are closed: this check costs a hundredth of a request. */
const isOpen = (host: string, port: number, withinMs: number): Promise<boolean> => new Promise(resolve => {
  const socket = createConnection({ host, port, timeout: withinMs })
  const settle = (open: boolean) => { socket.destroy(); resolve(open) }
  socket.once('connect', () => settle(true)).once('error', () => settle(false)).once('timeout', () => settle(false))
})

/** The second follows many wrong tokens; a correct one is never refused. */
const REFUSALS: ReadonlySet<string> = new Set(['401 unauthorized', '429 too_many_tries'])

async function probe (config: Config, port: number, withinMs: number): Promise<Found | undefined> {
  const { base } = serviceAt(config, port, undefined)
  if (!await isOpen(addressOf(config.api.host), port, withinMs)) return undefined
  try {
    const by = await provenBy(config, base, port, withinMs).catch((error: Error) => {
      if (error.name === 'TimeoutError') throw error // a silent program is not asked again
      return undefined
    })
    const service = serviceAt(config, port, by)
    const reply = await service.fetch(`${base}/api/server_info`, { signal: timeoutSignal(withinMs) })
    const body = await reply.json() as { api_port?: unknown, pool_start?: unknown, error?: unknown, status?: unknown }
    if (body.status === 'error' && REFUSALS.has(`${reply.status} ${body.error}`)) return { service, locked: true }
    return body.api_port === port && typeof body.pool_start === 'number' ? { service, locked: false } : undefined
  } catch {
    return undefined // closed, silent, or another program
  }
}

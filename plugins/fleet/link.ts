import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { connect, credsAuthenticator, errors, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import { namesOf, type Names } from './names.js'
import type { Login } from './options.js'
import { rateLimited } from './rate-limited.js'
import { serverChoice } from './server-choice.js'

const RETRY_MS = 1_000
const CONNECT_MS = 5_000
/** A server that misses two pings of this interval is gone. */
const PING_MS = 3_000
/** Interval and timeout of the check that the store is reachable. */
const CHECK_MS = 4_000
const FAILED_CHECKS = 2
/** When no server reaches the store, switching does not help, so each stay lasts longer than the one before. */
const STAY_CHECKS = 4
const LONGEST_STAY_CHECKS = 64

/** Also how long the first connection may take before a failure is reported. */
const EXPLAIN_EVERY_MS = 5_000
const nap = (ms: number) => new Promise<void>(resolve => { setTimeout(resolve, ms).unref() })
/** Error code of the servers: the store belongs to another account. */
const NOT_OF_ACCOUNT = '"err_code":10039'

interface Log {
  info (fields: object, message: string): void
  warn (fields: object, message: string): void
}

/** The connection to NATS, which reconnects until it is closed. */
export interface Link {
  /** Undefined before the first connection. */
  readonly nats: NatsConnection | undefined
  readonly connected: boolean
  /** Resolves with the first connection. */
  readonly opened: Promise<NatsConnection>
  /** Runs on every new connection, including the first. */
  onConnect (fn: () => void): void
  close (): Promise<void>
}

/** Connects in the background, so that a service starts without a server too. */
export function openLink (login: Login, inboxPrefix: string, log: Log, report?: ConnectionReport): Link {
  const listeners = new Set<() => void>()
  let nats: NatsConnection | undefined
  let connected = false
  let closed = false
  const setConnected = (now: boolean) => {
    if (now !== connected) log.info({ connected: now }, now ? 'connected to the fleet' : 'cut off from the fleet')
    connected = now
    if (now) report?.connected()
    else if (!closed) report?.failed(new Error('cut off from the servers'))
    if (now) for (const listener of listeners) listener()
  }

  async function open (): Promise<NatsConnection> {
    const made = await connect({
      ...connectionOptions(login, inboxPrefix),
      pingInterval: PING_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      ...serverChoice(RETRY_MS),
      waitOnFirstConnect: true,
      ignoreAuthErrorAbort: true // the credentials may be renewed at the server
    })
    nats = made
    if (closed) {
      await made.close()
      return made
    }
    if (login.servers.length > 1) {
      const check = leaveLostServer(made, namesOf(login.fleet).info, () => connected, log)
      const checking = setInterval(check, CHECK_MS).unref()
      void made.closed().then(() => clearInterval(checking))
    }
    void follow(made)
    setConnected(true)
    return made
  }

  const refused = rateLimited((error: Error) => log.warn({ err: error }, 'NATS refused something'))

  async function follow (made: NatsConnection): Promise<void> {
    for await (const status of made.status()) {
      if (status.type === 'disconnect') setConnected(false)
      if (status.type === 'reconnect') setConnected(true)
      if (status.type === 'error') refused(status.error)
    }
    setConnected(false)
  }

  /** The library retries without a reason, so a second connection finds out why it fails. */
  async function explain (): Promise<void> {
    await nap(EXPLAIN_EVERY_MS)
    if (closed || connected) return
    await probe(login, inboxPrefix).catch((error: unknown) => { if (!connected && !closed) report?.failed(error) })
    return await explain()
  }

  const opened = open()
  if (report !== undefined) void explain()
  opened.catch((error: Error) => log.warn({ err: error }, `the fleet cannot be reached: ${wordsOfFailure(error)}`))
  return {
    get nats () { return nats },
    get connected () { return connected },
    opened,
    onConnect (fn) {
      listeners.add(fn)
      if (connected) fn()
    },
    async close () {
      closed = true
      await nats?.close()
    }
  }
}

/**
 * A server that is cut off from its cluster keeps its clients, which then receive nothing. A client that notices
 * reconnects to another server.
 * @param info request subject for a site with its own account, which cannot see the store
 * @returns one check
 */
export function leaveLostServer (nats: Pick<NatsConnection, 'request' | 'reconnect'>, info: string,
  isConnected: () => boolean, log: Pick<Log, 'warn'>): () => Promise<void> {
  let failed = 0
  let stay = 0
  let nextStay = STAY_CHECKS
  let busy = false

  async function check (): Promise<void> {
    try {
      await askStore(nats, info)
      failed = stay = 0
      nextStay = STAY_CHECKS
    } catch {
      failed++
    }
    if (failed < FAILED_CHECKS || stay > 0 || !isConnected()) return
    failed = 0
    stay = nextStay
    nextStay = Math.min(LONGEST_STAY_CHECKS, nextStay * 2)
    log.warn({}, 'the NATS server does not reach its cluster; trying another one')
    await nats.reconnect()
  }

  return async () => {
    if (stay > 0) stay--
    if (busy || !isConnected()) return
    busy = true
    await check().catch(() => {}).finally(() => { busy = false }) // closed meanwhile
  }
}

/** @throws unless the servers confirm that the store exists */
async function askStore (nats: Pick<NatsConnection, 'request'>, info: string): Promise<void> {
  const ask = async (subject: string) => (await nats.request(subject, '', { timeout: CHECK_MS })).string()
  const answer = await ask('$JS.API.INFO').catch(() => undefined)
  if (answer?.includes(NOT_OF_ACCOUNT) === false) return
  await ask(info).catch((error: unknown) => {
    // Without a responder for the account, the check is inconclusive.
    if (answer === undefined || !isNoResponders(error)) throw error
  })
}

/**
 * Connects once.
 * @param names of the fleet, to check the permissions of the site
 * @returns version of the server
 * @throws Error with the reason for the failure
 */
export async function probe (login: Login, inboxPrefix: string, names?: Names): Promise<string> {
  const nats = await connectOnce(connectionOptions(login, inboxPrefix))
  const { version = '?', jetstream = false } = nats.info ?? {}
  try {
    if (names !== undefined) await checkSite(nats, names, login)
  } finally {
    await nats.close()
  }
  if (!jetstream) throw new Error(`the server ${version} has no JetStream`)
  return version
}

/** @throws when the NATS user belongs to another site; a hub's user belongs to none, but may subscribe to all nodes */
async function checkSite (nats: NatsConnection, names: Names, { site, node }: Login): Promise<void> {
  const isOfSite = await mayListen(nats, names.call(site, node))
    ? await mayReadLeases(nats, names, site)
    : await mayListen(nats, names.heartbeat('*', '*'))
  if (isOfSite) return
  throw new Error(`the user of NATS may not speak for the site '${site}': correct plugins.fleet.site, or the user's account or permissions`)
}

/** A refused subscription is reported before the answer to the following flush. */
async function mayListen (nats: NatsConnection, subject: string): Promise<boolean> {
  let isRefused = false
  nats.subscribe(subject, { callback: error => { isRefused ||= error !== null } })
  await nats.flush()
  return !isRefused
}

/** A site's account gets no answer about the leases of another site, although the store exists. */
async function mayReadLeases (nats: NatsConnection, names: Names, site: string): Promise<boolean> {
  const timeout = CHECK_MS
  const subject = `$JS.API.DIRECT.GET.KV_${names.leases}.$KV.${names.leases}.${site}.doctor`
  const isAnswered = await nats.request(subject, '', { timeout }).then(answer => !answer.string().includes(NOT_OF_ACCOUNT), () => false)
  if (isAnswered) return true
  const store = await nats.request(names.info, '', { timeout }).then(answer => answer.json<{ streams?: number }>(), () => undefined)
  return store?.streams === undefined || store.streams === 0
}

const isNoResponders = (error: unknown): boolean => error instanceof errors.RequestError && error.isNoResponders()

const SOCKETS = 'net.client.socket'

/** The library leaves the socket of a silent server open, which would keep the process alive. */
async function connectOnce (options: ReturnType<typeof connectionOptions>): Promise<NatsConnection> {
  const opened: Socket[] = []
  const remember = (message: unknown) => { opened.push((message as { socket: Socket }).socket) }
  subscribe(SOCKETS, remember)
  try {
    return await connect({ ...options, reconnect: false, maxReconnectAttempts: 0 })
  } catch (error) {
    for (const socket of opened) socket.unref()
    if (error instanceof errors.TimeoutError) throw new Error(`no answer within ${CONNECT_MS / 1_000} s`)
    throw error
  } finally {
    unsubscribe(SOCKETS, remember)
  }
}

const connectionOptions = (login: Login, inboxPrefix: string) => ({
  servers: [...login.servers],
  name: `prnd ${login.site}/${login.node}`,
  inboxPrefix,
  timeout: CONNECT_MS,
  authenticator: authenticatorsOf(login),
  ...(login.tls && { tls: { ...login.tls } })
})

const authenticatorsOf = ({ credentials, user, password }: Login) => [
  ...credentials === undefined ? [] : [credsAuthenticator(new TextEncoder().encode(credentials))],
  ...user === undefined ? [] : [usernamePasswordAuthenticator(user, password)]
]

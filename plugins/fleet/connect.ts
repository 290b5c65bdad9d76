import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { connect, credsAuthenticator, errors, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import { namesOf, type Names } from './names.js'
import type { Login } from './options.js'
import { quieted } from './quieted.js'
import { serverChoice } from './server-choice.js'

const RETRY_MS = 1_000
const CONNECT_MS = 5_000
/** A server that does not answer twice in this time is gone. */
const PING_MS = 3_000
/** So often, and for so long, the store is asked whether it is there. */
const CHECK_MS = 4_000
const FAILED_CHECKS = 2
/** Where no server has it, changing between them does not help: each stay is longer than the one before. */
const STAY_CHECKS = 4
const LONGEST_STAY_CHECKS = 64

/** Also how long a first connection may take before somebody is told. */
const EXPLAIN_EVERY_MS = 5_000
const nap = (ms: number) => new Promise<void>(resolve => { setTimeout(resolve, ms).unref() })
/** Error code of the servers: the store belongs to another account. */
const NOT_OF_ACCOUNT = '"err_code":10039'

interface Log {
  info (fields: object, message: string): void
  warn (fields: object, message: string): void
}

/** The connection to NATS, which is opened again whenever it ends, until it is closed. */
export interface Link {
  /** Undefined before the first connection. */
  readonly nats: NatsConnection | undefined
  readonly connected: boolean
  /** Resolves with the first connection. */
  readonly opened: Promise<NatsConnection>
  /** Runs with every new connection, the first too. */
  onConnect (fn: () => void): void
  close (): Promise<void>
}

/** Connects in the background: a service starts also while there is no server. */
export function openLink (login: Login, inboxPrefix: string, log: Log, report?: ConnectionReport): Link {
  const listeners = new Set<() => void>()
  let nats: NatsConnection | undefined
  let connected = false
  let closed = false
  const told = (now: boolean) => {
    if (now !== connected) log.info({ connected: now }, now ? 'connected to the fleet' : 'cut off from the fleet')
    connected = now
    if (now) report?.connected()
    else if (!closed) report?.failed(new Error('cut off from the servers'))
    if (now) for (const listener of listeners) listener()
  }

  async function open (): Promise<NatsConnection> {
    const made = await connect({
      ...wayOf(login, inboxPrefix),
      pingInterval: PING_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      ...serverChoice(RETRY_MS),
      waitOnFirstConnect: true,
      ignoreAuthErrorAbort: true // credentials that are renewed at the server count again
    })
    if (closed) await made.close()
    nats = made
    if (login.servers.length > 1) {
      const check = leaveLostServer(made, namesOf(login.fleet).info, () => connected, log)
      const checking = setInterval(check, CHECK_MS).unref()
      void made.closed().then(() => clearInterval(checking))
    }
    void follow(made)
    told(true)
    return made
  }

  const refused = quieted((error: Error) => log.warn({ err: error }, 'NATS refused something'))

  async function follow (made: NatsConnection): Promise<void> {
    for await (const status of made.status()) {
      if (status.type === 'disconnect') told(false)
      if (status.type === 'reconnect') told(true)
      if (status.type === 'error') refused(status.error)
    }
    told(false)
  }

  /** The library only tries again and again: why it may not come in, another connection finds out. */
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
 * A server that is cut off from its cluster keeps its clients, and they hear nothing any more. Whoever notices goes to
 * another server.
 * @param info where a site with an account of its own asks, which has no store of its own to ask for
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
    log.warn({}, 'the NATS server does not reach its cluster; another one is tried')
    await nats.reconnect()
  }

  return async () => {
    if (stay > 0) stay--
    if (busy || !isConnected()) return
    busy = true
    await check().catch(() => {}).finally(() => { busy = false }) // closed meanwhile
  }
}

/** @throws when the servers do not answer that the store is there */
async function askStore (nats: Pick<NatsConnection, 'request'>, info: string): Promise<void> {
  const ask = async (subject: string) => (await nats.request(subject, '', { timeout: CHECK_MS })).string()
  const answer = await ask('$JS.API.INFO').catch(() => undefined)
  if (answer?.includes(NOT_OF_ACCOUNT) === false) return
  await ask(info).catch((error: unknown) => {
    // Where nobody answers for the account, it cannot be known.
    if (answer === undefined || !isNoResponders(error)) throw error
  })
}

/**
 * Connects once.
 * @param names of the fleet, where the site is to be tried
 * @returns version of the server
 * @throws Error with what hinders it
 */
export async function probe (login: Login, inboxPrefix: string, names?: Names): Promise<string> {
  const nats = await connectOnce(wayOf(login, inboxPrefix))
  const { version = '?', jetstream = false } = nats.info ?? {}
  try {
    if (names !== undefined) await checkSite(nats, names, login)
  } finally {
    await nats.close()
  }
  if (!jetstream) throw new Error(`the server ${version} has no JetStream`)
  return version
}

/** @throws when the user of NATS belongs to another site; that of hubs belongs to none, but hears all nodes */
async function checkSite (nats: NatsConnection, names: Names, { site, node }: Login): Promise<void> {
  const isOfSite = await mayListen(nats, names.call(site, node))
    ? await mayReadLeases(nats, names, site)
    : await mayListen(nats, names.beat('*', '*'))
  if (isOfSite) return
  throw new Error(`the user of NATS may not speak for the site '${site}': correct plugins.fleet.site, or the user's account or permissions`)
}

/** The server refuses a subscription before it answers what was sent after it. */
async function mayListen (nats: NatsConnection, subject: string): Promise<boolean> {
  let isRefused = false
  nats.subscribe(subject, { callback: error => { isRefused ||= error !== null } })
  await nats.flush()
  return !isRefused
}

/** An account of its own gets no answer about the leases of another site, although the store is there. */
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

/** A server that is silent keeps its socket open in the library, which would keep the process alive. */
async function connectOnce (way: ReturnType<typeof wayOf>): Promise<NatsConnection> {
  const opened: Socket[] = []
  const remember = (message: unknown) => { opened.push((message as { socket: Socket }).socket) }
  subscribe(SOCKETS, remember)
  try {
    return await connect({ ...way, reconnect: false, maxReconnectAttempts: 0 })
  } catch (error) {
    for (const socket of opened) socket.unref()
    if (error instanceof errors.TimeoutError) throw new Error(`no answer within ${CONNECT_MS / 1_000} s`)
    throw error
  } finally {
    unsubscribe(SOCKETS, remember)
  }
}

const wayOf = (login: Login, inboxPrefix: string) => ({
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

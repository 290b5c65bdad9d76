import type { FastifyBaseLogger } from 'fastify'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from '../util/emitter.js'
import { createSdCard } from './ftp/index.js'
import { createClaims } from './claims.js'
import type { Command } from './mqtt/command.js'
import { createProtocolWarnings } from './mqtt/protocol-warnings.js'
import { createFairness } from './mqtt/cpu-budget.js'
import { resolveModel } from './models.js'
import { openMqttConnection, type MqttConnection } from './mqtt/mqtt-connection.js'
import { createOutbox } from './mqtt/pending-commands.js'
import { ConnectionError, fellSilent, neverReported, connectionErrorOf, type SessionProblem } from './connection-error.js'
import { createReceiver } from './report/report-handler.js'
import { createReportStore } from './report/report-store.js'
import { createSender } from './mqtt/command-sender.js'
import type { Trust } from './tls.js'
import type { PinStore, PrinterConfig, PrinterSession, ServiceState, SessionEvents } from './types.js'
import { untilState } from './wait-for-state.js'
import { createVersionQuery } from './mqtt/version-query.js'
import { TIMEOUTS, type Timeouts } from './timeouts.js'
import { judgeSilence, silenceLimitMs } from './watchdog.js'

export interface SessionDeps {
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Writes raw payloads while a session is verbose. */
  readonly wire: FastifyBaseLogger
  readonly pins: PinStore
  /** The words for a refusal with this error number and reason. */
  readonly explain: (errorNumber: number, reason: string) => string
  /** Those that differ from {@link TIMEOUTS}. */
  readonly timeouts?: Partial<Timeouts>
}

/** A session with the means to run and end it; only the registry holds these. */
export interface RunningSession {
  readonly session: PrinterSession
  /** Connects in the background and keeps connecting until `end`. */
  start (): void
  end (): Promise<void>
}

export type { PinStore } from './types.js'

/** Source: the vendor's own slicer never asks for everything oftener. */
const FULL_REPORT_EVERY_MS = 3_000
const GET_VERSION: Command = { section: 'info', command: 'get_version' }

export function createSession (config: PrinterConfig, deps: SessionDeps): RunningSession {
  const { now, log } = deps
  const timeouts = { ...TIMEOUTS, ...deps.timeouts }
  const where = `${config.host}:${config.ports.mqtt}`
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal) // every command that waits for its answer listens
  const events = createEmitter<SessionEvents>((error, event) => log.error({ err: error, event }, 'listener failed'))
  const protocolWarnings = createProtocolWarnings(log, now)
  const reports = createReportStore(resolveModel(config.serial, config.model),
    (kind, field) => protocolWarnings.add(`${kind}: ${field}`))
  const outbox = createOutbox()
  const fairness = createFairness()
  const versions = createVersionQuery()

  let connection: MqttConnection | undefined
  let service: ServiceState = 'NO_STATE'
  let live = false
  let verbose = false
  let problem: SessionProblem | undefined
  let connectedAt = 0
  let lastMessageAt: number | undefined
  let askedAt: number | undefined
  let fullAskedAt = -Infinity
  let attempt = 0
  /** On whichever connection: its serial number is right. */
  let hasReported = false
  let running: Promise<void> | undefined

  const wire = () => verbose ? deps.wire : undefined
  const sender = createSender({
    name: config.name,
    outbox,
    signal,
    now,
    timeouts,
    wire,
    connection: () => connection,
    problem: () => problem?.message,
    hears: () => service !== 'PAUSED',
    onSend: command => reports.takeCommand(command, now()),
    explain: deps.explain
  })
  const receiver = createReceiver({
    reports,
    outbox,
    protocolWarnings,
    events,
    now,
    log,
    wire,
    onMessage () {
      lastMessageAt = now()
      askedAt = undefined
      attempt = 0
    },
    onReport () {
      problem = undefined
      hasReported = true
      versions.look(reports.moduleCounters)
      setLive(true)
    },
    onModules: versions.answered,
    onIncomplete () {
      if (now() - fullAskedAt >= FULL_REPORT_EVERY_MS) announce()
    }
  })

  const trust = (): Trust => {
    const { mode, ca, fingerprint = deps.pins.get(config.serial) } = config.tls
    return { mode, ...(ca !== undefined && { ca }), ...(fingerprint !== undefined && { fingerprint }) }
  }
  const learn = (fingerprint: string): void => {
    if (config.tls.mode === 'pin' && trust().fingerprint === undefined) deps.pins.set(config.serial, fingerprint)
  }
  const onPlain = () => log.warn('encrypted transfers stand still: files go to and from the card unencrypted')
  const { card, end: endCard } =
    createSdCard(config, { now, signal, trust, onPeer: learn, onPlain, timeouts: timeouts.card })

  function setService (next: ServiceState): void {
    if (next === service) return
    const before = service
    service = next
    log.info({ service: next, before }, 'session')
    events.emit('service', next, before)
  }

  function setLive (next: boolean): void {
    if (next === live) return
    live = next
    events.emit('live', next)
  }

  function setProblem ({ code, message }: ConnectionError): void {
    const isNews = problem?.code !== code
    problem = { code, message, at: now() }
    if (!isNews) return
    log.error({ problem: code }, message)
    events.emit('problem', problem)
  }

  /** Versions first: what they say of the AMS units is part of the state. */
  function announce (): void {
    if (service !== 'CONNECTED' || connection?.connected !== true) return
    fullAskedAt = now()
    versions.asked(now())
    post(GET_VERSION, { section: 'pushing', command: 'pushall', version: 1, push_target: 1 })
  }

  const post = (...commands: readonly Command[]) =>
    sender.post(error => log.debug({ err: error }, 'a request for reports was not taken'), ...commands)

  async function connect (): Promise<MqttConnection> {
    const { host, serial, accessCode, ports } = config
    const up = await openMqttConnection({
      host,
      serial,
      accessCode,
      port: ports.mqtt,
      signal,
      connectMs: timeouts.connectMs,
      trust: trust(),
      onMessage: (payload, done) => fairness.run(() => receiver.receive(payload), done)
    })
    learn(up.fingerprint)
    return up
  }

  /** The subscription stands before anything is asked: answers to earlier questions would be lost. */
  async function listen (up: MqttConnection): Promise<void> {
    connectedAt = now()
    lastMessageAt = undefined
    askedAt = undefined
    reports.expectFullReport()
    versions.restart()
    await up.subscribe()
    if (problem?.code !== 'no_reports') problem = undefined
    setService('CONNECTED')
    announce()
  }

  /** One connection from its beginning to its end. @returns why it is over */
  async function oneConnection (): Promise<ConnectionError> {
    try {
      connection = await connect()
      if (service !== 'PAUSED') await listen(connection)
    } catch (error) {
      return connectionErrorOf(error, where)
    }
    const failure = await connection.closed
    return new ConnectionError('connection_lost', `${where}: the connection was lost${failure ? ` (${failure.message})` : ''}`)
  }

  async function run (): Promise<void> {
    while (!signal.aborted) {
      const ended = await oneConnection()
      outbox.clear()
      connection?.close()
      connection = undefined
      setLive(false)
      if (signal.aborted) break
      if (service === 'CONNECTED') setService('DISCONNECTED')
      // A silent printer is given up by us, or gives us up: that says less than its silence.
      if (ended.code !== 'connection_lost' || problem?.code !== 'no_reports') setProblem(ended)
      await sleep(timeouts.retryMs(attempt++, ended.code), undefined, { signal }).catch(() => {})
    }
    setService('QUIT')
  }

  function watch (): void {
    if (service !== 'CONNECTED' || connection?.connected !== true) return
    const silenceMs = silenceLimitMs(reports.model)
    const verdict = judgeSilence(now(), { connectedAt, messageAt: lastMessageAt, askedAt, silenceMs })
    if (verdict === 'ask') {
      askedAt = now()
      setLive(false)
      if (lastMessageAt === undefined) noteSilence()
      announce()
    }
    if (verdict === 'reconnect') {
      noteSilence()
      log.warn('no reports in spite of asking: connecting anew')
      connection.close()
    } else if (versions.isDue(now())) post(GET_VERSION)
  }

  const noteSilence = () => setProblem(hasReported ? fellSilent(where) : neverReported(where, config.serial))

  const session: PrinterSession = {
    name: config.name,
    config: Object.defineProperty({ ...config }, 'accessCode', { enumerable: false }),
    events,
    signal,
    card,
    get model () { return reports.model },
    get capabilities () { return reports.state?.capabilities },
    get service () { return service },
    get state () { return reports.state },
    get raw () { return reports.raw },
    get context () { return reports.memory },
    get live () { return live },
    get lastMessageAt () { return lastMessageAt },
    get problem () { return problem },
    get protocolWarnings () { return protocolWarnings.counts },
    get verbose () { return verbose },
    set verbose (on) { verbose = on },
    send: sender.send,
    perform: sender.perform,
    publish: sender.publish,
    exclusively: createClaims(config.name, signal),
    rememberChamberTarget (celsius) {
      reports.takeChamberTarget(celsius, now())
      receiver.publishState()
    },
    until: (test, within) => untilState(session, test, within),
    async pause () {
      if (service !== 'CONNECTED') return
      setService('PAUSED')
      await connection?.unsubscribe().catch(() => {}) // a connection that just went has nothing to unsubscribe
    },
    async resume () {
      if (service !== 'PAUSED') return
      setLive(false)
      const up = connection?.connected === true ? connection : undefined
      try {
        if (up) return await listen(up)
      } catch (error) {
        setProblem(connectionErrorOf(error, where))
        up?.close()
      }
      setService('QUIT') // until there is a new connection
    },
    async refresh () { announce() }
  }

  return {
    session,
    start () {
      if (running !== undefined || signal.aborted) return
      const timer = setInterval(watch, timeouts.watchEveryMs).unref()
      signal.addEventListener('abort', () => { clearInterval(timer); fairness.stop() }, { once: true })
      running = run()
    },
    async end () {
      controller.abort()
      await Promise.all([running, endCard()])
    }
  }
}

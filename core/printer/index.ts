import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from '../util/emitter.js'
import { createAnswerWatch } from './answer-watch.js'
import { createSdCard } from './ftp/index.js'
import { createExclusiveLock } from './exclusive-lock.js'
import type { Command } from './mqtt/command.js'
import { createProtocolWarnings } from './mqtt/protocol-warnings.js'
import { createCpuBudget } from './cpu-budget.js'
import { resolveModel } from './models.js'
import { openMqttConnection, type MqttConnection } from './mqtt/mqtt-connection.js'
import { createPendingCommands } from './mqtt/pending-commands.js'
import { ConnectionError, fellSilent, neverReported, connectionErrorOf, takesNoCommands, wordsOf } from './connection-error.js'
import { createReportHandler } from './report/report-handler.js'
import { createReportStore } from './report/report-store.js'
import { createSessionProblem } from './session-problem.js'
import { createCommandSender } from './mqtt/command-sender.js'
import { createTrust } from './open-tls.js'
import type { RunningSession, SessionDeps } from './session-deps.js'
import type { PrinterConfig, PrinterSession, ServiceState, SessionEvents } from './types.js'
import { waitForState } from './wait-for-state.js'
import { createVersionQuery, GET_VERSION } from './version-query.js'
import { FULL_REPORT_EVERY_MS, TIMEOUTS } from './timeouts.js'
import { createStartKeeper } from './start-keeper.js'
import { checkSilence, silenceLimitMs } from './watchdog.js'

export type { PinStore } from './types.js'
export type { RunningSession, SessionDeps } from './session-deps.js'

export function createSession (config: PrinterConfig, deps: SessionDeps): RunningSession {
  const { now, log } = deps
  const timeouts = { ...TIMEOUTS, ...deps.timeouts }
  const where = `${config.host}:${config.ports.mqtt}`
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal) // one listener for every command that waits for its reply
  const events = createEmitter<SessionEvents>((error, event) => log.error({ err: error, event }, 'listener failed'))
  const protocolWarnings = createProtocolWarnings(log, now)
  const reports = createReportStore(resolveModel(config.serial, config.model),
    (kind, field) => protocolWarnings.add(`${kind}: ${field}`), deps.starts?.get(config.serial))
  const starts = createStartKeeper({ serial: config.serial, reports, store: deps.starts, now, log })
  const pending = createPendingCommands()
  const cpuBudget = createCpuBudget()
  const versions = createVersionQuery()
  const answers = createAnswerWatch()
  const problem = createSessionProblem({ log, events, now })

  let connection: MqttConnection | undefined
  let service: ServiceState = 'NO_STATE'
  let live = false
  let verbose = false
  let connectedAt = 0
  let lastMessageAt: number | undefined
  let requestedAt: number | undefined
  let fullRequestedAt = -Infinity
  let attempt = 0
  /** A report came on any connection so far: the serial number is right. */
  let hasReported = false
  let running: Promise<void> | undefined

  const wire = () => verbose ? deps.wire : undefined
  const sender = createCommandSender({
    name: config.name,
    pending,
    signal,
    now,
    timeouts,
    wire,
    connection: () => connection,
    problem: () => problem.current?.message,
    isSubscribed: () => service !== 'PAUSED',
    onSend (command) {
      answers.sent(command, now())
      reports.applyCommand(command, now())
      starts.note()
    },
    explain: deps.explain,
    check: deps.check ?? (() => {})
  })
  const reportHandler = createReportHandler({
    reports,
    pending,
    protocolWarnings,
    events,
    now,
    log,
    wire,
    onMessage () {
      lastMessageAt = now()
      requestedAt = undefined
      attempt = 0
    },
    onReport () {
      problem.reported()
      hasReported = true
      versions.compare(reports.moduleCounters)
      setLive(true)
    },
    onModules () {
      versions.received()
      answers.versionsCame()
      problem.answered()
    },
    onIncomplete () {
      if (now() - fullRequestedAt >= FULL_REPORT_EVERY_MS) requestFullReport()
    }
  })

  events.on('reply', ({ command }) => {
    answers.answered(command)
    problem.answered()
  })
  events.on('message', starts.note)

  const { trust, pin } = createTrust(config, deps.pins)
  const onPlain = () => log.warn('encrypted transfers stall: files are now transferred unencrypted')
  const { card, end: endCard } =
    createSdCard(config, { now, signal, trust, onPeer: pin, onPlain, timeouts: timeouts.card })

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

  /** Requests the version report first: the models of the AMS units in it are part of the state. */
  function requestFullReport (): void {
    if (service !== 'CONNECTED' || connection?.connected !== true) return
    fullRequestedAt = now()
    versions.requested(now())
    post(GET_VERSION, { section: 'pushing', command: 'pushall', version: 1, push_target: 1 })
  }

  const post = (...commands: readonly Command[]) =>
    sender.post(error => log.debug({ err: error }, 'a request for reports was not acknowledged'), ...commands)

  async function connect (): Promise<MqttConnection> {
    const { host, serial, accessCode, ports } = config
    const opened = await openMqttConnection({
      name: config.name,
      host,
      serial,
      accessCode,
      port: ports.mqtt,
      signal,
      connectMs: timeouts.connectMs,
      trust: trust(),
      onMessage: (payload, done) => cpuBudget.run(() => reportHandler.receive(payload), done)
    })
    pin(opened.fingerprint)
    return opened
  }

  /** Subscribes before anything is requested: earlier replies would be lost. */
  async function subscribe (to: MqttConnection): Promise<void> {
    connectedAt = now()
    lastMessageAt = undefined
    requestedAt = undefined
    reports.expectFullReport()
    versions.restart()
    await to.subscribe()
    answers.restart(now())
    problem.opened()
    setService('CONNECTED')
    requestFullReport()
  }

  /** Opens a connection and waits for its end. @returns why it ended */
  async function runConnection (): Promise<ConnectionError> {
    try {
      connection = await connect()
      if (service !== 'PAUSED') await subscribe(connection)
    } catch (error) {
      return connectionErrorOf(error, where)
    }
    const failure = await connection.closed
    return new ConnectionError('connection_lost', `${where}: the connection was lost${failure ? ` (${wordsOf(failure)})` : ''}`)
  }

  async function run (): Promise<void> {
    while (!signal.aborted) {
      const ended = await runConnection()
      pending.clear()
      connection?.close()
      connection = undefined
      setLive(false)
      if (signal.aborted) break
      if (service === 'CONNECTED') setService('DISCONNECTED')
      problem.ended(ended)
      await sleep(timeouts.retryMs(attempt++, ended.code), undefined, { signal }).catch(() => {})
    }
    setService('QUIT')
  }

  function watch (): void {
    const silenceMs = silenceLimitMs(reports.model)
    // What a paused session last heard grows old as well, but nothing is asked of the printer.
    if (service === 'PAUSED' && now() - (lastMessageAt ?? connectedAt) >= silenceMs) setLive(false)
    if (service !== 'CONNECTED' || connection?.connected !== true) return
    const action = checkSilence(now(), { connectedAt, messageAt: lastMessageAt, requestedAt, silenceMs })
    if (action === 'request') {
      requestedAt = now()
      setLive(false)
      if (lastMessageAt === undefined) reportSilence()
      requestFullReport()
    }
    if (action === 'reconnect') {
      reportSilence()
      log.warn('no reports although they were requested: reconnecting')
      connection.close()
    } else if (versions.isDue(now())) post(GET_VERSION)
    watchAnswers()
  }

  function watchAnswers (): void {
    const action = answers.check(now())
    if (answers.isDeaf && live) problem.set(takesNoCommands(where))
    if (action === 'probe') post(GET_VERSION)
    if (action !== 'renew') return
    log.warn('commands are not answered: reconnecting')
    connection?.close()
  }

  const reportSilence = () => problem.set(hasReported ? fellSilent(where) : neverReported(where, config.serial))

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
    get context () { return reports.context },
    get live () { return live },
    get lastMessageAt () { return lastMessageAt },
    get problem () { return problem.current },
    get protocolWarnings () { return protocolWarnings.counts },
    get verbose () { return verbose },
    set verbose (on) { verbose = on },
    ...starts.recording(sender),
    publish: sender.publish,
    exclusively: createExclusiveLock(config.name, signal),
    rememberChamberTarget (celsius) {
      reports.applyChamberTarget(celsius, now())
      reportHandler.publishState()
    },
    ignoreFaults (codes) {
      reports.applyIgnored(codes)
      reportHandler.publishState()
    },
    ...starts.changes(reportHandler.publishState),
    until: (test, within) => waitForState(session, test, within),
    async pause () {
      if (service !== 'CONNECTED') return
      setService('PAUSED')
      await connection?.unsubscribe().catch(() => {}) // a connection that just went has nothing to unsubscribe
    },
    async resume () {
      if (service !== 'PAUSED') return
      setLive(false)
      const open = connection?.connected === true ? connection : undefined
      try {
        if (open) return await subscribe(open)
      } catch (error) {
        problem.set(connectionErrorOf(error, where))
        open?.close()
      }
      setService('QUIT') // until there is a new connection
    },
    async refresh () { requestFullReport() }
  }

  return {
    session,
    start () {
      if (running !== undefined || signal.aborted) return
      const timer = setInterval(watch, timeouts.watchEveryMs).unref()
      signal.addEventListener('abort', () => { clearInterval(timer); cpuBudget.stop() }, { once: true })
      running = run()
    },
    async end () {
      controller.abort()
      await Promise.all([running, endCard()])
    }
  }
}

import { setMaxListeners } from 'node:events'
import { createEmitter } from '../util/emitter.js'
import { createAnswerWatch } from './answer-watch.js'
import { createConnectionLoop, type ConnectionLoop } from './connection-loop.js'
import { createCpuBudget } from './cpu-budget.js'
import { createExclusiveLock } from './exclusive-lock.js'
import { createSdCard } from './ftp/index.js'
import { resolveModel } from './models.js'
import type { Command } from './mqtt/command.js'
import { createCommandSender, type CommandSenderDeps } from './mqtt/command-sender.js'
import { createPendingCommands } from './mqtt/pending-commands.js'
import { createProtocolWarnings } from './mqtt/protocol-warnings.js'
import { createTrust } from './open-tls.js'
import { createReportHandler } from './report/report-handler.js'
import { createReportStore } from './report/report-store.js'
import { createReportWatch } from './report-watch.js'
import type { RunningSession, SessionDeps } from './session-deps.js'
import { createSessionProblem } from './session-problem.js'
import { createSessionStatus } from './session-status.js'
import { createStartKeeper } from './start-keeper.js'
import { TIMEOUTS } from './timeouts.js'
import type { PrinterConfig, PrinterSession, SessionEvents } from './types.js'
import { createVersionQuery } from './version-query.js'
import { waitForState } from './wait-for-state.js'
import { neverBack, silenceLimitMs } from './silence-watchdog.js'

export type { PinStore } from './types.js'
export type { RunningSession, SessionDeps } from './session-deps.js'

/** Parts that only need the configuration and the dependencies. */
function createParts (config: PrinterConfig, deps: SessionDeps, signal: AbortSignal) {
  const { now, log } = deps
  const events = createEmitter<SessionEvents>((error, event) => log.error({ err: error, event }, 'listener failed'))
  const protocolWarnings = createProtocolWarnings(log, now)
  const reports = createReportStore(resolveModel(config.serial, config.model),
    (kind, field) => protocolWarnings.add(`${kind}: ${field}`), deps.starts?.get(config.serial))
  const timeouts = { ...TIMEOUTS, ...deps.timeouts }
  const trust = createTrust(config, deps.pins)
  const onPlain = () => log.warn('encrypted transfers stall: files are now transferred unencrypted')
  return {
    config,
    deps,
    signal,
    timeouts,
    events,
    protocolWarnings,
    reports,
    trust,
    starts: createStartKeeper({ serial: config.serial, reports, store: deps.starts, now, log }),
    pending: createPendingCommands(),
    cpuBudget: createCpuBudget(),
    steady: neverBack(now),
    versions: createVersionQuery(),
    answers: createAnswerWatch(),
    problem: createSessionProblem({ log, events, now }),
    status: createSessionStatus(events, log),
    sdCard: createSdCard(config, {
      now, signal, trust: trust.trust, onPeer: trust.pin, onPlain, timeouts: timeouts.card
    }),
    isVerbose: false
  }
}

type Parts = ReturnType<typeof createParts>

const wireOf = (parts: Parts) => () => parts.isVerbose ? parts.deps.wire : undefined

function createSender (parts: Parts, connection: CommandSenderDeps['connection']) {
  const { config, deps: { now, explain, check = () => {} }, signal, timeouts, reports, starts } = parts
  const { pending, answers, problem, status, steady } = parts
  return createCommandSender({
    name: config.name,
    pending,
    signal,
    now,
    timeouts,
    wire: wireOf(parts),
    connection,
    problem: () => problem.current?.message,
    isSubscribed: () => status.service !== 'PAUSED',
    onSend (command) {
      answers.sent(command, steady())
      reports.applyCommand(command, now())
      starts.note()
    },
    explain,
    check
  })
}

/** Sending, receiving and the connection that both use; they refer to each other. */
function createTraffic (parts: Parts) {
  const { config, deps: { now, log }, signal, timeouts, events, protocolWarnings, reports } = parts
  const { pending, cpuBudget, versions, answers, problem, status, steady, trust } = parts

  const sender = createSender(parts, () => connection.current)
  const reportHandler = createReportHandler({
    reports,
    pending,
    protocolWarnings,
    events,
    now,
    log,
    wire: wireOf(parts),
    onMessage () {
      reportWatch.heard()
      connection.heard()
    },
    onReport () {
      problem.reported()
      reportWatch.reported()
      versions.compare(reports.moduleCounters)
      status.setLive(true)
    },
    onModules () {
      versions.received()
      answers.versionsCame()
      problem.answered()
    },
    onIncomplete: () => reportWatch.incomplete()
  })
  const connection: ConnectionLoop = createConnectionLoop({
    config,
    signal,
    timeouts,
    trust,
    status,
    problem,
    onMessage: (payload, done) => cpuBudget.run(() => reportHandler.receive(payload), done),
    onOpen () {
      reportWatch.restart()
      reports.expectFullReport()
      versions.restart()
    },
    onSubscribed () {
      answers.restart(steady())
      problem.opened()
      status.setService('CONNECTED')
      reportWatch.requestFull()
    },
    onClosed: () => pending.clear()
  })
  const reportWatch = createReportWatch({
    now,
    steady,
    log,
    serial: config.serial,
    silenceMs: () => silenceLimitMs(reports.model),
    status,
    connection,
    versions,
    answers,
    problem,
    post: (...commands: readonly Command[]) =>
      sender.post(error => log.debug({ err: error }, 'a request for reports was not acknowledged'), ...commands)
  })
  return { sender, reportHandler, connection, reportWatch }
}

/** The session as plugins see it. */
function sessionOf (parts: Parts, { sender, reportHandler, connection, reportWatch }: ReturnType<typeof createTraffic>):
PrinterSession {
  const { config, deps: { now }, signal, events, reports, starts, problem, status, protocolWarnings } = parts
  const session: PrinterSession = {
    name: config.name,
    config: Object.defineProperty({ ...config }, 'accessCode', { enumerable: false }),
    events,
    signal,
    card: parts.sdCard.card,
    get model () { return reports.model },
    get capabilities () { return reports.state?.capabilities },
    get service () { return status.service },
    get state () { return reports.state },
    get raw () { return reports.raw },
    get context () { return reports.context },
    get live () { return status.live },
    get lastMessageAt () { return reportWatch.lastMessageAt },
    get problem () { return problem.current },
    get protocolWarnings () { return protocolWarnings.counts },
    get verbose () { return parts.isVerbose },
    set verbose (on) { parts.isVerbose = on },
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
    pause: connection.pause,
    resume: connection.resume,
    async refresh () { reportWatch.requestFull() }
  }
  return session
}

export function createSession (config: PrinterConfig, deps: SessionDeps): RunningSession {
  const controller = new AbortController()
  const { signal } = controller
  setMaxListeners(0, signal) // one listener for every command that waits for its reply
  const parts = createParts(config, deps, signal)
  const { events, starts, answers, problem, cpuBudget, timeouts, sdCard } = parts
  const traffic = createTraffic(parts)
  let running: Promise<void> | undefined

  events.on('reply', ({ command }) => {
    answers.answered(command)
    problem.answered()
  })
  events.on('message', starts.note)

  return {
    session: sessionOf(parts, traffic),
    start () {
      if (running !== undefined || signal.aborted) return
      const timer = setInterval(traffic.reportWatch.check, timeouts.watchEveryMs).unref()
      signal.addEventListener('abort', () => { clearInterval(timer); cpuBudget.stop() }, { once: true })
      running = traffic.connection.run()
    },
    async end () {
      controller.abort()
      await Promise.all([running, sdCard.end()])
    }
  }
}

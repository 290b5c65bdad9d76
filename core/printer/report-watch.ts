import type { FastifyBaseLogger } from 'fastify'
import type { AnswerWatch } from './answer-watch.js'
import { fellSilent, neverReported, takesNoCommands } from './connection-error.js'
import type { ConnectionLoop } from './connection-loop.js'
import type { Command } from './mqtt/command.js'
import type { createSessionProblem } from './session-problem.js'
import type { SessionStatus } from './session-status.js'
import { FULL_REPORT_EVERY_MS } from './timeouts.js'
import { GET_VERSION, type VersionQuery } from './version-query.js'
import { checkSilence } from './silence-watchdog.js'

const FULL_REPORT: Command = { section: 'pushing', command: 'pushall', version: 1, push_target: 1 }

export interface ReportWatchDeps {
  readonly now: () => number
  /** The same clock, which never goes back: a corrected clock must not hide a silence. */
  readonly steady: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly serial: string
  /** How long this model may be silent. */
  readonly silenceMs: () => number
  readonly status: Pick<SessionStatus, 'service' | 'live' | 'setLive'>
  readonly connection: Pick<ConnectionLoop, 'where' | 'isSubscribed' | 'renew'>
  readonly versions: VersionQuery
  readonly answers: AnswerWatch
  readonly problem: Pick<ReturnType<typeof createSessionProblem>, 'set'>
  readonly post: (...commands: readonly Command[]) => void
}

/** Tracks when messages arrive, requests reports, and reconnects to a silent printer. */
export function createReportWatch (deps: ReportWatchDeps) {
  const { now, steady, log, status, connection, versions, answers, problem, post } = deps
  let connectedAt = 0
  /** ms since the epoch, for callers; all others are of the steady clock. */
  let lastMessageAt: number | undefined
  let heardAt: number | undefined
  let requestedAt: number | undefined
  let fullRequestedAt = -Infinity
  /** A report arrived on any connection so far: the serial number is right. */
  let hasReported = false

  /** Requests the version report first: the models of the AMS units in it are part of the state. */
  function requestFull (): void {
    if (!connection.isSubscribed) return
    fullRequestedAt = steady()
    versions.requested(steady())
    post(GET_VERSION, FULL_REPORT)
  }

  function reportSilence (): void {
    problem.set(hasReported ? fellSilent(connection.where) : neverReported(connection.where, deps.serial))
  }

  function checkReports (silenceMs: number): void {
    const action = checkSilence(steady(), { connectedAt, messageAt: heardAt, requestedAt, silenceMs })
    if (action === 'request') {
      requestedAt = steady()
      status.setLive(false)
      if (heardAt === undefined) reportSilence()
      requestFull()
    }
    if (action === 'reconnect') {
      reportSilence()
      log.warn('no reports although they were requested: reconnecting')
      connection.renew()
    } else if (versions.isDue(steady())) post(GET_VERSION)
  }

  function checkAnswers (): void {
    const action = answers.check(steady())
    if (answers.isDeaf && status.live) problem.set(takesNoCommands(connection.where))
    if (action === 'probe') post(GET_VERSION)
    if (action !== 'renew') return
    log.warn('commands are not answered: reconnecting')
    connection.renew()
  }

  return {
    get lastMessageAt () { return lastMessageAt },
    requestFull,
    /** An incremental report arrived while a full one is awaited. */
    incomplete (): void {
      if (steady() - fullRequestedAt >= FULL_REPORT_EVERY_MS) requestFull()
    },
    /** A connection is open. */
    restart (): void {
      connectedAt = steady()
      lastMessageAt = undefined
      heardAt = undefined
      requestedAt = undefined
    },
    /** Any message arrived. */
    heard (): void {
      lastMessageAt = now()
      heardAt = steady()
      requestedAt = undefined
    },
    /** A usable report arrived. */
    reported (): void { hasReported = true },
    /** Called at intervals. */
    check (): void {
      const silenceMs = deps.silenceMs()
      // The state of a paused session becomes outdated as well, but nothing is requested.
      if (status.service === 'PAUSED' && steady() - (heardAt ?? connectedAt) >= silenceMs) status.setLive(false)
      if (!connection.isSubscribed) return
      checkReports(silenceMs)
      checkAnswers()
    }
  }
}

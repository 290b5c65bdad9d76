import type { FastifyBaseLogger } from 'fastify'
import type { Emitter } from '../util/emitter.js'
import type { ConnectionError, SessionProblem } from './connection-error.js'
import type { SessionEvents } from './types.js'

export interface SessionProblemDeps {
  readonly log: FastifyBaseLogger
  readonly events: Pick<Emitter<SessionEvents>, 'emit'>
  readonly now: () => number
}

/** Stores why a session does not work properly, and reports every new reason once. */
export function createSessionProblem ({ log, events, now }: SessionProblemDeps) {
  let current: SessionProblem | undefined
  /**
   * The connection was closed by us for one of these reasons, which is more useful than the fact that it was closed.
   */
  const isReasonToClose = () => current?.code === 'no_reports' || current?.code === 'takes_no_commands'
  return {
    get current () { return current },
    set ({ code, message }: ConnectionError): void {
      const isNew = current?.code !== code
      current = { code, message, at: now() }
      if (!isNew) return
      log.error({ problem: code }, message)
      events.emit('problem', current)
    },
    /** A connection ended. */
    ended (error: ConnectionError): void {
      if (error.code !== 'connection_lost' || !isReasonToClose()) this.set(error)
    },
    /** A connection is open; whether the problem is solved is not known yet. */
    opened (): void {
      if (!isReasonToClose()) current = undefined
    },
    /** A report arrived. */
    reported (): void {
      if (current?.code !== 'takes_no_commands') current = undefined
    },
    /** A command, or the version request, was answered. */
    answered (): void {
      if (current?.code !== 'takes_no_commands') return
      current = undefined
      log.info('commands are answered again')
      events.emit('problem', undefined)
    }
  }
}

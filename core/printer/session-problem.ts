import type { FastifyBaseLogger } from 'fastify'
import type { Emitter } from '../util/emitter.js'
import type { ConnectionError, SessionProblem } from './connection-error.js'
import type { SessionEvents } from './types.js'

export interface SessionProblemDeps {
  readonly log: FastifyBaseLogger
  readonly events: Pick<Emitter<SessionEvents>, 'emit'>
  readonly now: () => number
}

/** Keeps why a session does not work as it should, and tells of every new reason once. */
export function createSessionProblem ({ log, events, now }: SessionProblemDeps) {
  let current: SessionProblem | undefined
  /** A connection that was closed from here for one of these: the reason is more useful than that it was closed. */
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
    /** A connection is open; whether that helps is not known yet. */
    opened (): void {
      if (!isReasonToClose()) current = undefined
    },
    /** A report came. */
    reported (): void {
      if (current?.code !== 'takes_no_commands') current = undefined
    },
    /** A command, or the request for the versions, was answered. */
    answered (): void {
      if (current?.code !== 'takes_no_commands') return
      current = undefined
      log.info('commands are answered again')
      events.emit('problem', undefined)
    }
  }
}

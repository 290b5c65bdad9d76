import type { FastifyBaseLogger } from 'fastify'
import type { Emitter } from '../util/emitter.js'
import type { ServiceState, SessionEvents } from './types.js'

export type SessionStatus = ReturnType<typeof createSessionStatus>

/** Whether a session is connected, and whether its reports are current. Every change is an event. */
export function createSessionStatus (events: Pick<Emitter<SessionEvents>, 'emit'>, log: Pick<FastifyBaseLogger, 'info'>) {
  let service: ServiceState = 'NO_STATE'
  let live = false
  return {
    get service () { return service },
    get live () { return live },
    setService (next: ServiceState): void {
      if (next === service) return
      const before = service
      service = next
      log.info({ service: next, before }, 'session')
      events.emit('service', next, before)
    },
    setLive (next: boolean): void {
      if (next === live) return
      live = next
      events.emit('live', next)
    }
  }
}

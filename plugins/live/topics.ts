import type { Dispose, Kernel } from '../../core/index.js'

/** Sends a piece of news about a printer to whoever listens. */
export type Send = (printer: string, data: unknown) => void

/** One kind of news. */
export interface LiveTopic {
  readonly name: string
  readonly description: string
  /** Every message counts: missed ones are sent again after a reconnect. Otherwise only the newest matters. */
  readonly every?: boolean
  readonly watch: (kernel: Kernel, send: Send) => Dispose
}
export const defineLiveTopic = (topic: LiveTopic): LiveTopic => Object.freeze(topic)

export const connection = defineLiveTopic({
  name: 'connection',
  description: 'The session of a printer has another state, or a problem',
  every: true,
  watch: ({ printers }, send) => printers.each(session => session.events.on('service', (now, before) =>
    send(session.name, { service_state: now, before, problem: session.problem?.message ?? null })))
})

export const state = defineLiveTopic({
  name: 'state',
  description: 'The full state of a printer, at most once a second',
  watch: ({ printers, services }, send) => printers.each(session =>
    session.events.on('state', () => send(session.name, services.state.document(session))))
})

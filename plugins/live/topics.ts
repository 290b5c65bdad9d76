import { pendingStart, type Dispose, type Kernel, type PrinterSession } from '../../core/index.js'

/**
 * Says that something about a printer has changed. With `every` the data are sent; otherwise they are read from
 * `current` when they are sent, so that saying it costs nothing while nobody listens.
 */
export type Send = (printer: string, data?: unknown) => void

interface Topic {
  readonly name: string
  readonly description: string
  readonly watch: (kernel: Kernel, send: Send) => Dispose
}

type Current = (kernel: Kernel, printer: string) => unknown

/** Events of which each one counts: missed ones are sent again after a reconnect. */
export interface EveryTopic extends Topic {
  readonly every: true
  /** What a listener is told of a printer at the beginning; undefined for nothing. */
  readonly current?: Current
}

/** Changes of which only the newest counts; a listener gets it at once, then at most once a second. */
export interface NewestTopic extends Topic {
  readonly every?: false
  /** What is so now; undefined while there is nothing to tell. */
  readonly current: Current
  /** Whether listeners who know the one need not be told the other. @default all is told */
  readonly isSame?: (told: unknown, now: unknown) => boolean
}

/** One kind of live message. */
export type LiveTopic = EveryTopic | NewestTopic
export const defineLiveTopic = (topic: LiveTopic): LiveTopic => Object.freeze(topic)

const stateOf = ({ services }: Kernel, session: PrinterSession | undefined) =>
  session?.state && services.state.withoutListings(session)

export const state = defineLiveTopic({
  name: 'state',
  description: "The full state of a printer but for its card's listing, at most once a second",
  current: (kernel, printer) => stateOf(kernel, kernel.printers.get(printer)),
  watch: ({ printers }, send) => printers.each(({ name, events }) => {
    const off = [events.on('state', () => send(name)), events.on('live', () => send(name))]
    return () => { for (const undo of off) undo() }
  })
})

/** What a session is like; without one `service_state` is null. */
function sessionNews (name: string, session: PrinterSession | undefined, now: number) {
  const problem = session?.problem
  return {
    name,
    connected: session?.service === 'CONNECTED',
    service_state: session?.service ?? null,
    recent_update: session?.live ?? false,
    problem: problem ? { code: problem.code, message: problem.message } : null,
    pending_start: pendingStart(session?.context.start, now)
  }
}

export const session = defineLiveTopic({
  name: 'session',
  description: 'A session began, ended, changed its state, met a problem, or waits for a start to show',
  every: true,
  current: ({ printers, now }, name) => sessionNews(name, printers.get(name), now()),
  watch: ({ printers, now }, send) => printers.each(session => {
    const { name, events } = session
    let awaited = pendingStart(session.context.start, now())?.since
    const tell = () => send(name, sessionNews(name, session, now()))
    const tellStart = () => {
      const { since } = pendingStart(session.context.start, now()) ?? {}
      if (since === awaited) return
      awaited = since
      tell()
    }
    const off = [
      events.on('service', tell), events.on('live', tell), events.on('problem', tell), events.on('state', tellStart)
    ]
    return () => {
      for (const undo of off) undo()
      send(name, sessionNews(name, undefined, now()))
    }
  })
})

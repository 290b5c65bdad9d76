import { defineLiveTopic, pendingStart, type Kernel, type PrinterSession } from '../../core/index.js'

const stateOf = ({ services }: Kernel, session: PrinterSession | undefined) =>
  session?.state && services.state.withoutListings(session)

export const stateTopic = defineLiveTopic({
  name: 'state',
  description: "The full state of a printer but for its card's listing, at most once a second",
  current: (kernel, printer) => stateOf(kernel, kernel.printers.get(printer)),
  watch: ({ printers }, send) => printers.each(({ name, events }) => {
    const off = [events.on('state', () => send(name)), events.on('live', () => send(name))]
    return () => { for (const undo of off) undo() }
  })
})

/** The state of a session; without one, `service_state` is null. */
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

export const sessionTopic = defineLiveTopic({
  name: 'session',
  description: 'A session began, ended, changed its state, met a problem, or waits for a start to show',
  every: true,
  current: ({ printers, now }, name) => sessionNews(name, printers.get(name), now()),
  watch: ({ printers, now }, send) => printers.each(session => {
    const { name, events } = session
    let awaited = pendingStart(session.context.start, now())?.since
    const sendNews = () => send(name, sessionNews(name, session, now()))
    const sendStart = () => {
      const { since } = pendingStart(session.context.start, now()) ?? {}
      if (since === awaited) return
      awaited = since
      sendNews()
    }
    const off = [
      events.on('service', sendNews), events.on('live', sendNews), events.on('problem', sendNews), events.on('state', sendStart)
    ]
    return () => {
      for (const undo of off) undo()
      send(name, sessionNews(name, undefined, now()))
    }
  })
})

import {
  defineResource, type Dispose, type Kernel, type PrinterSession, type PrinterState, type Resource
} from '../../core/index.js'

const json = (value: unknown) => ({ text: JSON.stringify(value, null, 1) })

function summaries ({ printers }: Kernel) {
  return printers.names.map(name => {
    const session = printers.get(name)
    const job = session?.state?.job
    return {
      name,
      model: session?.model.model ?? 'UNKNOWN',
      connected: session?.service === 'CONNECTED',
      service_state: session?.service ?? null,
      gcode_state: job?.gcodeState ?? null,
      print_percentage: job?.percent ?? null,
      problem: session?.problem?.message ?? null,
      resource: `prnd://printers/${encodeURIComponent(name)}`
    }
  })
}

export const printersResource: Resource = defineResource({
  uri: 'prnd://printers',
  name: 'printers',
  title: 'Printers',
  description: 'Configured printers with connection, job state, progress in percent, and what hinders them',
  mimeType: 'application/json',
  read: kernel => json({ printers: summaries(kernel) }),
  watch ({ events, printers }, changed) {
    const touch = () => changed('')
    const off = [
      printers.each(session => followSummary(session, touch)),
      events.on('printer:forgotten', touch) // emitted after its removal from the list
    ]
    return () => { for (const undo of off) undo() }
  }
})

/** Calls `changed` when anything that the list shows of a printer changes, also when its session starts or ends. */
function followSummary ({ events }: PrinterSession, changed: () => void): Dispose {
  const off = [
    events.on('service', changed),
    events.on('problem', changed),
    events.on('live', changed), // reports clear a problem
    events.on('state', ({ job }, before) => {
      if (job.gcodeState !== before?.job.gcodeState || job.percent !== before.job.percent) changed()
    })
  ]
  changed()
  return () => { off.forEach(undo => undo()); changed() }
}

/** One printer's full state, updated by every report. */
export const printerResource: Resource = defineResource({
  uri: 'prnd://printers/{name}',
  name: 'printer',
  title: 'Printer state',
  description: 'Full state of one printer: job, temperatures, AMS, spools, errors',
  mimeType: 'application/json',
  values: kernel => kernel.printers.names,
  read (kernel, name) {
    const session = kernel.printers.get(name)
    if (session) return json(kernel.services.state.withoutListings(session))
    return kernel.printers.names.includes(name) ? json({ error: `Printer '${name}' not connected` }) : undefined
  },
  watch: (kernel, changed) => kernel.printers.each(session => {
    const off = [
      session.events.on('service', () => changed(session.name)),
      session.events.on('problem', () => changed(session.name)),
      session.events.on('live', () => changed(session.name)),
      session.events.on('state', (now, before) => { if (hasChanged(now, before)) changed(session.name) })
    ]
    return () => { off.forEach(undo => undo()) }
  })
})

/** Compares by identity, since unchanged parts of the state are shared between reports. */
function hasChanged (now: PrinterState, before: PrinterState | undefined): boolean {
  if (before === undefined) return true
  for (const key in now) {
    const part = key as keyof PrinterState
    if (part !== 'receivedAt' && now[part] !== before[part]) return true
  }
  return false
}

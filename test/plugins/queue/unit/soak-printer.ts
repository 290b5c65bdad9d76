import { resolveModel, type PrinterSession } from '../../../../core/index.js'

/** A printer without a network: its heaters obey at once, unless told otherwise. */
export function soakPrinter ({ serial = '00M00A000000001', bedC = 25, chamberC = 30 } = {}) {
  const sent: string[] = []
  const heat = { bed: { actual: bedC, target: 0 }, chamber: { actual: chamberC, target: 0, sensor: true } }
  const state = {
    heat,
    job: { gcodeState: 'IDLE', subtaskName: '' },
    device: { signedOnly: false, storage: true },
    errors: { faults: [] }
  }
  const printer = {
    sent,
    heat,
    state,
    /** The bed follows its target. */
    obeys: true,
    live: true,
    claimed: false,
    entries: [] as { operation: string, note: string }[],
    session: undefined as unknown as PrinterSession,
    kernel: undefined as any
  }
  printer.session = {
    name: 'x1c',
    config: { serial },
    model: resolveModel(serial),
    service: 'CONNECTED',
    get live () { return printer.live },
    state,
    context: {},
    problem: undefined,
    rememberChamberTarget (celsius: number) { heat.chamber.target = celsius },
    exclusively: async (_: string, work: (signal: AbortSignal) => unknown) => {
      if (printer.claimed) throw new Error('claimed')
      return await work(new AbortController().signal)
    },
    perform: async (_: string, command: { param?: string, ctt_val?: number }) => {
      const line = command.param?.trim() ?? `chamber ${command.ctt_val}`
      sent.push(line)
      const [, celsius] = /^M140 S(\d+)$/.exec(line) ?? []
      if (celsius !== undefined) {
        heat.bed.target = Number(celsius)
        if (printer.obeys) heat.bed.actual = Number(celsius)
      }
      return { confirmed: true }
    }
  } as unknown as PrinterSession
  printer.kernel = {
    now: Date.now,
    hms: {},
    signal: new AbortController().signal,
    printers: { sessions: [printer.session], names: ['x1c'], config: () => printer.session.config },
    optional: { audit: { begin: async (act: { operation: string, note: string }) => { printer.entries.push(act); return 'entry' } } },
    events: { emit () {} }
  }
  return printer
}

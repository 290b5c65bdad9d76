import { createEmitter } from '../../../../core/util/emitter.js'
import type { Command, CommandReply } from '../../../../core/printer/mqtt/command.js'
import { createProtocolWarnings } from '../../../../core/printer/mqtt/protocol-warnings.js'
import { resolveModel } from '../../../../core/printer/models.js'
import { createPendingCommands } from '../../../../core/printer/mqtt/pending-commands.js'
import { createReportHandler } from '../../../../core/printer/report/report-handler.js'
import { createReportStore } from '../../../../core/printer/report/report-store.js'
import type { PrinterState } from '../../../../core/printer/state/types.js'
import type { SessionEvents } from '../../../../core/printer/types.js'
import { collectLog } from './log.js'

export type Fields = Record<string, unknown>

/** Start of every feed's clock, ms since the epoch. */
export const START = 1_700_000_000_000

/** Everything of a session that needs no connection, on a clock that moves when told. */
export function createFeed (serial: string, model?: string) {
  const clock = { now: START }
  const now = () => clock.now
  const collected = collectLog()
  const protocolWarnings = createProtocolWarnings(collected.log, now)
  const failures: unknown[] = []
  const events = createEmitter<SessionEvents>(error => failures.push(error))
  const pending = createPendingCommands(() => 0)
  const reports = createReportStore(resolveModel(serial, model), (kind, field) => protocolWarnings.add(`${kind}: ${field}`))
  const states: PrinterState[] = []
  const replies: CommandReply[] = []
  const seen = { messages: 0, reports: 0, modules: 0, incomplete: 0 }
  events.on('state', state => states.push(state))
  events.on('reply', reply => replies.push(reply))
  const receiver = createReportHandler({
    reports,
    pending,
    protocolWarnings,
    events,
    now,
    log: collected.log,
    wire: () => undefined,
    onMessage: () => { seen.messages++ },
    onReport: () => { seen.reports++ },
    onModules: () => { seen.modules++ },
    onIncomplete: () => { seen.incomplete++ }
  })

  const bytes = (payload: string | Uint8Array) => receiver.receive(Buffer.from(payload as string))
  return {
    clock,
    reports,
    pending,
    protocolWarnings,
    states,
    replies,
    seen,
    log: collected,
    events,
    /** What listeners threw. */
    failures,
    /** One payload as it comes from the wire. */
    bytes,
    receive: (document: unknown) => bytes(JSON.stringify(document)),
    /** A status report. */
    report: (fields: Fields) => bytes(JSON.stringify({ print: { command: 'push_status', ...fields } })),
    /** Notes a command as sent, as the sender does. */
    sent (command: Command) {
      reports.applyCommand(command, clock.now)
      return pending.add(command, clock.now)
    },
    get state (): PrinterState {
      if (!reports.state) throw new Error('nothing was decoded yet')
      return reports.state
    }
  }
}

export type Feed = ReturnType<typeof createFeed>

import type { Emitter } from '../../util/emitter.js'
import type { FastifyBaseLogger } from 'fastify'
import { readReply } from '../mqtt/command.js'
import type { ProtocolWarnings } from '../mqtt/protocol-warnings.js'
import { parseMessage, type ReportSection } from '../mqtt/parse-message.js'
import type { PendingCommands } from '../mqtt/pending-commands.js'
import type { ReportStore } from './report-store.js'
import type { SessionEvents } from '../types.js'

export interface ReportHandlerDeps {
  readonly reports: ReportStore
  readonly pending: PendingCommands
  readonly protocolWarnings: ProtocolWarnings
  readonly events: Emitter<SessionEvents>
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Logger for raw payloads, if they are logged. */
  readonly wire: () => FastifyBaseLogger | undefined
  /** Any message arrived. */
  readonly onMessage: () => void
  /** A usable report arrived; called before the `state` event. */
  readonly onReport: () => void
  /** The version report arrived. */
  readonly onModules: () => void
  /** An incremental report arrived while the full report is awaited. */
  readonly onIncomplete: () => void
}

const LONGEST_LOGGED = 65_536

/** Handles messages of the report topic; no payload makes it throw. */
export function createReportHandler (deps: ReportHandlerDeps) {
  const { reports, pending, protocolWarnings, events, now } = deps

  function publishState (): void {
    if (!reports.complete) return
    const { state, before } = reports.decode(now())
    events.emit('state', state, before)
  }

  function handleStatus (body: ReportSection['body'], bytes: number): void {
    if (!reports.applyStatus(body, now(), bytes)) return deps.onIncomplete()
    deps.onReport()
    publishState()
  }

  function handleReply ({ section, body }: ReportSection): void {
    const reply = readReply(section, body)
    const own = pending.match(section, body, now())
    const changed = reports.applyReply(reply, own?.command, now())
    if (own) {
      pending.settle(own, reply)
      events.emit('reply', reply)
    }
    if (changed) publishState()
  }

  function handle (item: ReportSection, bytes: number): void {
    if (item.kind === 'status') return handleStatus(item.body, bytes)
    if (item.kind === 'reply') return handleReply(item)
    if (item.kind !== 'modules') return
    if (reports.applyModules(item.body)) deps.onModules()
    publishState()
  }

  function receive (payload: Uint8Array): void {
    deps.onMessage()
    deps.wire()?.debug({ payload: Buffer.from(payload).toString().slice(0, LONGEST_LOGGED) }, 'received')
    read(payload)
    events.emit('message', payload)
  }

  function read (payload: Uint8Array): void {
    const items = parseMessage(payload)
    if (typeof items === 'string') return protocolWarnings.add(items)
    try {
      for (const item of items) handle(item, payload.length)
    } catch (error) {
      protocolWarnings.add('not handled', String(error))
      deps.log.error({ err: error }, 'a report could not be handled')
      // The merged report may be the cause: the next full report replaces it.
      reports.expectFullReport()
      deps.onIncomplete()
    }
  }

  return { receive, publishState }
}

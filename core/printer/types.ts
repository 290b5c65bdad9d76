import type { Emitter } from '../util/emitter.js'
import type { SdCard } from './ftp/types.js'
import type { Exclusively } from './claims.js'
import type { Command, CommandReply } from './mqtt/command.js'
import type { ModelInfo } from './models.js'
import type { SessionProblem } from './connection-error.js'
import type { Raw } from './state/read.js'
import type { SessionContext } from './state/context.js'
import type { Capabilities, PrinterState } from './state/types.js'

export const SERVICE_STATES = ['NO_STATE', 'CONNECTED', 'DISCONNECTED', 'PAUSED', 'QUIT'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** Certificates learned at first contact, by serial. */
export interface PinStore {
  get (serial: string): string | undefined
  set (serial: string, fingerprint: string): void
}

/** A printer as configured, with its access code resolved. */
export interface PrinterConfig {
  readonly name: string
  readonly host: string
  readonly serial: string
  /** Not enumerable on a session's `config`, so that it is never written out by accident. */
  readonly accessCode: string
  /** Overrides what the serial says. */
  readonly model?: string
  /** Where the printer listens; the standard ports unless it sits behind others. */
  readonly ports: { readonly mqtt: number, readonly ftps: number, readonly camera: number, readonly rtsps: number }
  readonly tls: { readonly mode: 'ca' | 'pin' | 'insecure', readonly ca?: string, readonly fingerprint?: string }
}

export interface SessionEvents {
  /** After every report, and when an answer to a command changed the state. */
  state: [now: PrinterState, before: PrinterState | undefined]
  /** How the session is to its printer. */
  service: [now: ServiceState, before: ServiceState]
  /** Whether the report stream is alive. */
  live: [now: boolean]
  /** Every answer to a command of ours. */
  reply: [reply: CommandReply]
  /** Why there is no connection, or no data on it: told once while the reason stays the same. */
  problem: [now: SessionProblem]
}

/** The one live connection to one printer. */
export interface PrinterSession {
  readonly name: string
  readonly config: PrinterConfig
  readonly model: ModelInfo
  readonly capabilities: Capabilities | undefined
  readonly service: ServiceState
  /** Last snapshot; undefined before the first full report. A new object on every report. */
  readonly state: PrinterState | undefined
  /** The merged report as the printer sent it, for what the snapshot does not decode. */
  readonly raw: Raw
  readonly context: SessionContext
  /** The printer's card, over a connection of its own: what goes wrong there leaves this session alone. */
  readonly card: SdCard
  /** The report stream is alive: a full report came on this connection and no watchdog has fired since. */
  readonly live: boolean
  /** ms since the epoch; undefined before any message. */
  readonly lastMessageAt: number | undefined
  /** Why there is no connection, or no data on it. */
  readonly problem: SessionProblem | undefined
  /** What the printer sent wrong so far, counted by kind. */
  readonly protocolWarnings: Readonly<Record<string, number>>
  readonly events: Emitter<SessionEvents>
  /** Aborted when this session ends. */
  readonly signal: AbortSignal
  /** Logs raw payloads, redacted. In memory only; false at every start. */
  verbose: boolean
  /**
   * Publishes one command and, with `replyWithin` (ms), waits for the printer's answer.
   * @returns undefined when no answer was asked for or none came
   * @throws PRN_ERR_NOT_CONNECTED without a connection, PRN_ERR_SEND_TIMEOUT when it was not taken
   */
  send (command: Command, options?: { replyWithin?: number }): Promise<CommandReply | undefined>
  /**
   * Publishes commands back to back, waits a moment for the answers, and throws the first refusal.
   * @param what the act in words, as in "refused to pause"
   * @param optional commands that the printer may refuse, sent after the others
   * @returns whether the printer confirmed the first command; many are never answered
   * @throws PRN_ERR_REFUSED, PRN_ERR_SIGNATURE_REQUIRED, and those of `send`
   */
  perform (what: string, commands: Command | readonly Command[], optional?: readonly Command[]):
  Promise<{ confirmed: boolean }>
  /** Publishes a whole request as it is. */
  publish (request: Readonly<Record<string, unknown>>): Promise<void>
  /**
   * Claims the printer for the time that the work takes, so that nothing else that claims it comes in between. The
   * start of a print claims it; a queue or a script that prepares a start (upload, wait, print) takes the claim around
   * all of it, and what it calls meanwhile may claim the printer again. The claim ends with the work, however that
   * ends, and at the latest when `options.signal` is aborted, `options.withinMs` have passed or the session ends: the
   * signal given to the work is aborted then, and the work must send nothing any more.
   * @param purpose what goes on, as in "the start of '/a.3mf'"; others are told
   * @throws PRN_ERR_PRINTER_CLAIMED while somebody else has the claim; nobody waits for it
   */
  readonly exclusively: Exclusively
  /** Keeps a chamber target that the printer itself does not hold, °C. */
  rememberChamberTarget (celsius: number): void
  /** Resolves true as soon as a snapshot passes, false after `within` ms or when the session ends. */
  until (test: (state: PrinterState) => boolean, within: number): Promise<boolean>
  /** Stops the report stream; the connection stays. */
  pause (): Promise<void>
  resume (): Promise<void>
  /** Asks for versions and the full state; sends nothing unless CONNECTED. */
  refresh (): Promise<void>
}

import type { Emitter } from '../util/emitter.js'
import type { SdCard } from './ftp/types.js'
import type { Exclusively } from './exclusive-lock.js'
import type { Command, CommandReply } from './mqtt/command.js'
import type { ModelInfo } from './models.js'
import type { SessionProblem } from './connection-error.js'
import type { Raw } from './state/read.js'
import type { SessionContext, StartRecord } from './state/context.js'
import type { Capabilities, PrinterState } from './state/types.js'

export const SERVICE_STATES = ['NO_STATE', 'CONNECTED', 'DISCONNECTED', 'PAUSED', 'QUIT'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** Certificates pinned on first connection, by serial. */
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
  /** Every message of the printer as it came, once it was read; not to be changed. Never of a remote session. */
  message: [payload: Uint8Array]
  /** After every report, and when the reply to a command changed the state. */
  state: [now: PrinterState, before: PrinterState | undefined]
  /** The state of the connection. */
  service: [now: ServiceState, before: ServiceState]
  /** Whether current reports are received. */
  live: [now: boolean]
  /** Every reply to a command of ours. */
  reply: [reply: CommandReply]
  /**
   * Why there is no connection, no data on it, or no answer to commands: emitted once while the reason stays the same,
   * and without one when commands are answered again.
   */
  problem: [now: SessionProblem | undefined]
}

/** What a forwarded operation takes along. */
export interface RemoteCallOptions {
  /** It changes nothing: asked again when no answer comes. */
  readonly isRead: boolean
  readonly caller: 'local' | 'token' | 'network' | undefined
  /** Host and port by which the caller reaches this service. */
  readonly host: string
  readonly surface: string | undefined
  readonly signal: AbortSignal
  readonly progress: (done: number, total?: number, message?: string) => void
}

/** Another service that holds the connection to a printer. */
export interface RemoteHolder {
  /** Such as `hall-2/node-a`. */
  readonly name: string
  /** Whether it can be asked now. While it cannot, what is read is what is known here. */
  readonly reachable: boolean
  /**
   * Has an operation done there, guards included.
   * @throws the error of the operation, of the same class
   */
  call (operation: string, input: unknown, options: RemoteCallOptions): Promise<unknown>
}

export interface SendOptions {
  /** Waits so long for the reply, ms. */
  readonly replyWithin?: number
  /** Told the sequence id that the command is sent with. */
  readonly onSent?: (sequenceId: string) => void
}

/** The connection to one printer and everything known of it. */
export interface PrinterSession {
  readonly name: string
  /** Who holds the connection, if not this service: its state is fed from there, and nothing can be sent from here. */
  readonly remote?: RemoteHolder
  readonly config: PrinterConfig
  readonly model: ModelInfo
  readonly capabilities: Capabilities | undefined
  readonly service: ServiceState
  /** Last snapshot; undefined before the first full report. A new object on every report. */
  readonly state: PrinterState | undefined
  /** The merged report as the printer sent it, for what the snapshot does not decode. */
  readonly raw: Raw
  readonly context: SessionContext
  /** The printer's SD card, over an FTPS connection of its own: its errors do not affect this session. */
  readonly card: SdCard
  /**
   * Reports are current: a full one came on this connection, and no silence since made the watchdog fire. While the
   * session is paused nothing comes, so after the same time it is false too.
   */
  readonly live: boolean
  /** ms since the epoch; undefined before any message. */
  readonly lastMessageAt: number | undefined
  /** Why there is no connection, no data on it, or no answer to commands. */
  readonly problem: SessionProblem | undefined
  /** Counts of invalid parts of messages by kind. */
  readonly protocolWarnings: Readonly<Record<string, number>>
  readonly events: Emitter<SessionEvents>
  /** Aborted when this session ends. */
  readonly signal: AbortSignal
  /** Logs raw payloads, redacted. In memory only; false at every start. */
  verbose: boolean
  /**
   * Publishes one command and, with `replyWithin` (ms), waits for the printer's reply.
   * @returns undefined when no reply was requested or none came
   * @throws PRN_ERR_NOT_CONNECTED without a connection, PRN_ERR_SEND_TIMEOUT when it was not acknowledged
   */
  send (command: Command, options?: SendOptions): Promise<CommandReply | undefined>
  /**
   * Publishes commands back to back, waits a moment for the replies, and throws the first refusal.
   * @param what the action in words, as in "refused to pause"
   * @param optional commands that the printer may refuse, sent after the others
   * @returns whether the printer confirmed the first command; many commands never get a reply
   * @throws PRN_ERR_REFUSED, PRN_ERR_SIGNATURE_REQUIRED, and those of `send`
   */
  perform (what: string, commands: Command | readonly Command[], optional?: readonly Command[]):
  Promise<{ confirmed: boolean }>
  /** Publishes a request unchanged. */
  publish (request: Readonly<Record<string, unknown>>): Promise<void>
  /**
   * Runs work while it holds the printer's lock. The start of a print takes it; a queue or a script that prepares a
   * start (upload, wait, print) takes it around all of that, and what it calls meanwhile may take it again. The lock is
   * released when the work ends, and at the latest when `options.signal` is aborted, `options.withinMs` have passed or
   * the session ends: the signal given to the work is aborted then, and the work must send no more commands.
   * @param purpose what is being done, as in "the start of '/a.3mf'"; it is part of the error that others get
   * @throws PRN_ERR_PRINTER_CLAIMED at once while other work holds the lock
   */
  readonly exclusively: Exclusively
  /** Keeps a chamber target that the printer itself does not hold, °C. */
  rememberChamberTarget (celsius: number): void
  /** Faults with these codes do not count on this printer, in place of those before. */
  ignoreFaults (codes: readonly string[]): void
  /**
   * A person waits no longer for the start that the printer accepted: another one may be sent.
   * @returns false when none is pending
   */
  giveUpStart (): boolean
  /** A start that was sent from elsewhere is pending here too. */
  restoreStart (start: StartRecord): void
  /** Resolves true as soon as a snapshot passes, false after `within` ms or when the session ends. */
  until (test: (state: PrinterState) => boolean, within: number): Promise<boolean>
  /** Stops the report stream; the connection stays. */
  pause (): Promise<void>
  resume (): Promise<void>
  /** Requests versions and a full report; sends nothing unless CONNECTED. */
  refresh (): Promise<void>
}

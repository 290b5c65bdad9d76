import type { Emitter } from '../util/emitter.js'
import type { SdCard } from './ftp/types.js'
import type { Exclusively } from './exclusive-lock.js'
import type { Command, CommandReply } from './mqtt/command.js'
import type { ModelInfo } from './models.js'
import type { SessionProblem } from './connection-error.js'
import type { Raw } from './state/raw.js'
import type { SessionContext, StartRecord } from './state/context.js'
import type { Capabilities, PrinterState } from './state/types.js'

export const SERVICE_STATES = ['NO_STATE', 'CONNECTED', 'DISCONNECTED', 'PAUSED', 'QUIT'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** Certificates pinned on first connection, by serial number. */
export interface PinStore {
  get (serial: string): string | undefined
  set (serial: string, fingerprint: string): void
}

/** A printer as configured, with its access code resolved. */
export interface PrinterConfig {
  readonly name: string
  readonly host: string
  readonly serial: string
  /** Not enumerable on a session's `config`, so that it is never serialised by accident. */
  readonly accessCode: string
  /** Overrides the model in the serial number. */
  readonly model?: string
  /** Where the printer listens: the standard ports, unless they are forwarded. */
  readonly ports: { readonly mqtt: number, readonly ftps: number, readonly camera: number, readonly rtsps: number }
  readonly tls: { readonly mode: 'ca' | 'pin' | 'insecure', readonly ca?: string, readonly fingerprint?: string }
  /** A virtual printer, which no configuration file lists. A stand-in leaves once another printer is added. */
  readonly virtual?: 'permanent' | 'stand-in'
}

export interface SessionEvents {
  /**
   * Every message of the printer as received, after it was processed; must not be modified. Never from a remote
   * session.
   */
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
   * Why there is no connection, no data on it, or no answer to commands: emitted once per reason, and with undefined
   * when commands are answered again.
   */
  problem: [now: SessionProblem | undefined]
}

/** Details of a forwarded operation. */
export interface RemoteCallOptions {
  /** It changes nothing, so it may be repeated if no answer comes. */
  readonly isRead: boolean
  readonly caller: 'local' | 'token' | 'network' | undefined
  /** Host and port of this service as the caller sees it. */
  readonly host: string
  readonly surface: string | undefined
  readonly signal: AbortSignal
  readonly progress: (done: number, total?: number, message?: string) => void
}

/** Another service that holds the connection to a printer. */
export interface RemoteHolder {
  /** Such as `hall-2/node-a`. */
  readonly name: string
  /** Whether it is reachable now. While it is not, reads return the last known data. */
  readonly reachable: boolean
  /**
   * Runs an operation there, including its guards.
   * @throws the error of the operation, of the same class
   */
  call (operation: string, input: unknown, options: RemoteCallOptions): Promise<unknown>
  /**
   * Says what `call` would do there; sends and stores nothing.
   * @throws what the call would throw; PRN_ERR_NO_DRY_RUN if that service cannot say it
   */
  rehearse (operation: string, input: unknown, options: RemoteCallOptions): Promise<unknown>
}

export interface SendOptions {
  /** How long to wait for the reply, ms. */
  readonly replyWithin?: number
  /** Called with the sequence id of the sent command. */
  readonly onSent?: (sequenceId: string) => void
}

/** The connection to one printer and all data about it. */
export interface PrinterSession {
  readonly name: string
  /**
   * The service that holds the connection, if it is another one: it provides the state, and nothing can be sent from
   * here.
   */
  readonly remote?: RemoteHolder
  readonly config: PrinterConfig
  readonly model: ModelInfo
  readonly capabilities: Capabilities | undefined
  readonly service: ServiceState
  /** Last snapshot; undefined before the first full report. A new object on every report. */
  readonly state: PrinterState | undefined
  /** The merged report as the printer sent it, for data that the snapshot does not contain. */
  readonly raw: Raw
  readonly context: SessionContext
  /** The printer's SD card, over an FTPS connection of its own: its errors do not affect this session. */
  readonly card: SdCard
  /**
   * Reports are current: a full one arrived on this connection, and the watchdog has not detected silence since. It is
   * also false once a session has been paused for the same time.
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
   * @returns undefined if no reply was requested or none arrived
   * @throws PRN_ERR_NOT_CONNECTED without a connection, PRN_ERR_SEND_TIMEOUT if it was not acknowledged
   */
  send (command: Command, options?: SendOptions): Promise<CommandReply | undefined>
  /**
   * Publishes commands back to back, waits briefly for the replies, and throws the first refusal.
   * @param what the action, as in "refused to pause"
   * @param optional commands that the printer may refuse, sent after the others
   * @param check called in the same turn as sending: what it throws keeps the commands from being sent
   * @returns whether the printer confirmed the first command; many commands never get a reply
   * @throws PRN_ERR_REFUSED, PRN_ERR_SIGNATURE_REQUIRED, and those of `send`
   */
  perform (what: string, commands: Command | readonly Command[], optional?: readonly Command[], check?: () => void):
  Promise<{ confirmed: boolean }>
  /** Publishes a request unchanged. */
  publish (request: Readonly<Record<string, unknown>>): Promise<void>
  /**
   * Runs work while it holds the printer's lock. The start of a print takes it; a queue or a script that prepares a
   * start (upload, wait, print) holds it throughout, and nested calls may take it again. The lock is released when the
   * work ends, and at the latest when `options.signal` is aborted, `options.withinMs` have passed or the session ends:
   * the signal given to the work is then aborted, and the work must send no more commands.
   * @param purpose what is being done, as in "the start of '/a.3mf'", for the error that others get
   * @throws PRN_ERR_PRINTER_CLAIMED at once while other work holds the lock
   */
  readonly exclusively: Exclusively
  /** Stores a chamber target that the printer itself does not, °C. */
  rememberChamberTarget (celsius: number): void
  /** Ignores faults with these codes on this printer, replacing the previous list. */
  ignoreFaults (codes: readonly string[]): void
  /**
   * Gives up on the start that the printer accepted, so that another one may be sent.
   * @returns false if none is pending
   */
  giveUpStart (): boolean
  /** A start that was sent by another service is pending here too. */
  restoreStart (start: StartRecord): void
  /** Resolves true as soon as a snapshot passes, false after `within` ms or when the session ends. */
  until (test: (state: PrinterState) => boolean, within: number): Promise<boolean>
  /** Stops the report stream; the connection stays open. */
  pause (): Promise<void>
  resume (): Promise<void>
  /** Requests versions and a full report; sends nothing unless CONNECTED. */
  refresh (): Promise<void>
}

import type { Static, TObject } from 'typebox'
import type { Secret } from '../../../core/index.js'
import type { AlertSeverity } from '../../alerts/index.js'

export interface Attachment {
  readonly kind: 'picture' | 'clip'
  /** File name with extension. */
  readonly name: string
  /** Media type. */
  readonly type: string
  readonly bytes: Buffer
}

/** A message to send. All texts are plain; the target escapes its own markup. */
export interface Message {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  readonly id: string
  /** One line. */
  readonly title: string
  /** Several lines; may be empty. */
  readonly text: string
  /** Empty for messages not about a printer. */
  readonly printer: string
  /** Type of the alert, such as `job_finished`; `test` for a test message. */
  readonly alert: string
  readonly severity: AlertSeverity
  /** Time of the alert, ISO 8601 in UTC. */
  readonly at: string
  /** Payload of the alert. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly attachment?: Attachment
}

/**
 * Sends one message. Resolves when the target has accepted it.
 * @param signal aborted at the time limit and at shutdown
 * @throws NotDelivered; any other error is retried
 */
export type SendMessage = (message: Message, signal: AbortSignal) => Promise<void>

export interface TargetContext {
  /** Reads a secret of the configuration and masks it everywhere. @throws PRN_ERR_CONFIG */
  secret (value: Secret, key: string): Promise<string>
  /** Reads a web address, which may be secret. @throws PRN_ERR_CONFIG unless it is http or https */
  address (value: Secret, key: string): Promise<URL>
  /** Path in the configuration, for error messages. */
  readonly where: string
  readonly now: () => number
}

/** A kind of target, which the configuration selects by its type. */
export interface MessageTargetKind<T extends TObject = TObject> {
  readonly type: string
  /** Options of a target, in addition to its type. */
  readonly options: T
  /** Largest picture and clip that it accepts, bytes; missing ones are not supported. */
  readonly takes?: Readonly<Partial<Record<Attachment['kind'], number>>>
  /** Called once for each configured target, at the start. Opens no connection. */
  readonly create: (options: Static<T>, context: TargetContext) => Promise<SendMessage> | SendMessage
}

/** Defines a kind of target, for the contribution `messageTargets`. */
export const defineMessageTarget = <T extends TObject>(kind: MessageTargetKind<T>): MessageTargetKind =>
  Object.freeze(kind) as unknown as MessageTargetKind

interface Failure {
  /** A retry would fail too. */
  readonly final?: boolean
  /** The pause that the target requested, ms. */
  readonly retryAfterMs?: number | undefined
  /** Status of the answer, where there was one. */
  readonly status?: number | undefined
}

/** Why a target did not accept a message. */
export class NotDelivered extends Error {
  readonly final: boolean
  readonly retryAfterMs: number | undefined
  readonly status: number | undefined

  constructor (reason: string, { final = false, retryAfterMs, status }: Failure = {}) {
    super(reason)
    this.final = final
    this.retryAfterMs = retryAfterMs
    this.status = status
  }
}

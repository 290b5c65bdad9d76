import type { Static, TObject } from 'typebox'
import type { Secret } from '../../../core/index.js'
import type { AlertSeverity } from '../../alerts/index.js'

export interface Attachment {
  readonly kind: 'picture' | 'clip'
  /** Of the file, with its ending. */
  readonly name: string
  /** Media type. */
  readonly type: string
  readonly bytes: Buffer
}

/** What is sent. All texts are plain: a target escapes what would mean something to it. */
export interface Message {
  /** The same in every attempt: whoever receives it twice can tell. */
  readonly id: string
  /** One line. */
  readonly title: string
  /** Several lines; may be empty. */
  readonly text: string
  /** Empty for what is of no printer. */
  readonly printer: string
  /** Type of the alert, such as `job_finished`; `test` for a try. */
  readonly alert: string
  readonly severity: AlertSeverity
  /** Of the alert: ISO 8601 in UTC. */
  readonly at: string
  /** What the alert says. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly attachment?: Attachment
}

/**
 * Sends one message. Resolves when the target has taken it.
 * @param signal aborted when it takes too long, and at shutdown
 * @throws NotDelivered, or anything else: then it is tried again
 */
export type SendMessage = (message: Message, signal: AbortSignal) => Promise<void>

export interface TargetContext {
  /** Reads a secret of the configuration, and masks it from now on. @throws PRN_ERR_CONFIG */
  secret (value: Secret, key: string): Promise<string>
  /** Reads a web address, which may be secret. @throws PRN_ERR_CONFIG unless it is http or https */
  address (value: Secret, key: string): Promise<URL>
  /** The place in the configuration, for errors. */
  readonly where: string
  readonly now: () => number
}

/** A way of sending messages, which the configuration names by its type. */
export interface MessageTargetKind<T extends TObject = TObject> {
  readonly type: string
  /** Options of a target, beside its type. */
  readonly options: T
  /** Bytes of the largest picture and clip that it takes; what is left out it does not take. */
  readonly takes?: Readonly<Partial<Record<Attachment['kind'], number>>>
  /** Called once for each configured target, at the start. Opens no connection. */
  readonly create: (options: Static<T>, context: TargetContext) => Promise<SendMessage> | SendMessage
}

/** Defines a way of sending messages, for the contribution `messageTargets`. */
export const defineMessageTarget = <T extends TObject>(kind: MessageTargetKind<T>): MessageTargetKind =>
  Object.freeze(kind) as unknown as MessageTargetKind

interface Failure {
  /** Trying again is of no use. */
  readonly final?: boolean
  /** The target asked for so long a pause. */
  readonly retryAfterMs?: number | undefined
}

/** Why a target did not take a message. */
export class NotDelivered extends Error {
  readonly final: boolean
  readonly retryAfterMs: number | undefined

  constructor (reason: string, { final = false, retryAfterMs }: Failure = {}) {
    super(reason)
    this.final = final
    this.retryAfterMs = retryAfterMs
  }
}

import type { ModelInfo } from '../models.js'
import type { Raw } from './raw.js'
import type { SessionContext } from './context.js'

/** Input of a decoder besides the report. */
export interface DecodeInput {
  readonly model: ModelInfo
  readonly context: SessionContext
  /** The printer has two extruders. */
  readonly dual: boolean
  /** ms since the epoch. */
  readonly receivedAt: number
}

/** One part of the state, decoded again only when one of its dependencies changed. */
export interface Section<T> {
  /** Report fields it depends on: a top-level field, or `field.member` for one member of it. */
  readonly fields: readonly string[]
  /** Members of the session context it depends on. */
  readonly context?: readonly (keyof SessionContext)[]
  /** A time-dependent condition: the section is decoded again when the result changes. */
  readonly aged?: (context: SessionContext, now: number) => boolean
  readonly read: (raw: Raw, input: DecodeInput) => T
}

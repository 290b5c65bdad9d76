import type { ModelInfo } from '../models.js'
import type { Raw } from './read.js'
import type { SessionContext } from './context.js'

/** What a decoder is given beside the report. */
export interface DecodeInput {
  readonly model: ModelInfo
  readonly context: SessionContext
  /** The printer has two extruders. */
  readonly dual: boolean
  /** ms since the epoch. */
  readonly receivedAt: number
}

/** One part of the state: read anew only when something that it looks at is another value than before. */
export interface Section<T> {
  /** Where in the report it looks: a top-level field, or `field.member` for one member of it. */
  readonly fields: readonly string[]
  readonly context?: readonly (keyof SessionContext)[]
  /** What the time makes of it: it is read anew when this answer changes. */
  readonly aged?: (context: SessionContext, now: number) => boolean
  readonly read: (raw: Raw, input: DecodeInput) => T
}

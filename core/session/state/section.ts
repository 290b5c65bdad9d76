import type { ModelInfo } from '../models.js'
import type { Raw } from '../report.js'
import type { Memory } from './memory.js'

/** What a decoder is given beside the report. */
export interface DecodeContext {
  readonly model: ModelInfo
  readonly memory: Memory
  /** The printer has two extruders. */
  readonly dual: boolean
  /** ms since the epoch. */
  readonly receivedAt: number
}

/** One part of the state: read anew only when one of its inputs is another value than before. */
export interface Section<T> {
  /** Everything that `read` looks at, except `receivedAt`. */
  readonly inputs: (raw: Raw, context: DecodeContext) => readonly unknown[]
  readonly read: (raw: Raw, context: DecodeContext) => T
}

/** Inputs that are top-level fields of the report. */
export const fieldsOf = (raw: Raw, fields: readonly string[]): unknown[] => fields.map(field => raw[field])

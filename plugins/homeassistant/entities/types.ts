import type { PrinterSession, PrinterState } from '../../../core/index.js'
import type { HealthVerdict } from '../../alerts/index.js'
import type { PrinterTopics } from '../topics.js'

/** A printer that has reported. */
export interface View {
  readonly session: PrinterSession
  readonly state: PrinterState
  /** Verdict of the job monitor on the running job; undefined without one. */
  readonly verdict?: HealthVerdict | undefined
}

export type Platform =
  | 'binary_sensor' | 'button' | 'event' | 'fan' | 'image' | 'light' | 'number' | 'select' | 'sensor' | 'update'

/** Null when unknown. */
export type Value = string | number | boolean | null | readonly string[]

/** The operation that a command to an entity runs. */
export interface EntityCommand {
  /** Name of the operation. */
  readonly operation: string
  /** Its input; undefined for an invalid payload. The operation checks the rest. */
  readonly input: (payload: string) => object | undefined
}

/** One entity of a printer: its discovery, its value, its command. */
export interface Entity {
  /** Snake case; part of topics and ids, so it must never change. */
  readonly key: string
  readonly platform: Platform
  readonly name: string
  /** Its discovery besides platform, name and ids. */
  readonly config: Readonly<Record<string, unknown>> | ((view: View, topics: PrinterTopics) => Record<string, unknown>)
  /** Omitted if every printer has it. */
  readonly has?: (view: View) => boolean
  /** Omitted if it shows nothing from the state document. */
  readonly value?: (view: View) => Value
  readonly command?: EntityCommand
}

/** The member of the state document that an entity shows. */
export const valueOf = (key: string): string => `{{ value_json.${key} }}`

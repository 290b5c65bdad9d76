import type { PrinterSession, PrinterState } from '../../../core/index.js'
import type { HealthVerdict } from '../../alerts/index.js'
import type { PrinterTopics } from '../topics.js'

/** A printer that has reported. */
export interface View {
  readonly session: PrinterSession
  readonly state: PrinterState
  /** Of the job monitor, on the job that runs; undefined while there is none. */
  readonly verdict?: HealthVerdict | undefined
}

export type Platform =
  | 'binary_sensor' | 'button' | 'event' | 'fan' | 'image' | 'light' | 'number' | 'select' | 'sensor' | 'update'

/** What is not known is null. */
export type Value = string | number | boolean | null | readonly string[]

/** What an entity does when it is told something. */
export interface EntityCommand {
  /** Name of the operation. */
  readonly operation: string
  /** Its input; undefined for a payload that makes no sense. The operation checks the rest. */
  readonly input: (payload: string) => object | undefined
}

/** One entity of a printer: how it is announced, what it shows, what it does. */
export interface Entity {
  /** Lower-case words with underscores; part of topics and ids, so it is never changed. */
  readonly key: string
  readonly platform: Platform
  readonly name: string
  /** What its discovery says beside platform, name and ids. */
  readonly config: Readonly<Record<string, unknown>> | ((view: View, topics: PrinterTopics) => Record<string, unknown>)
  /** Left out: every printer has it. */
  readonly has?: (view: View) => boolean
  /** Left out: it shows nothing of the state document. */
  readonly value?: (view: View) => Value
  readonly command?: EntityCommand
}

/** The member of the state document that an entity shows. */
export const valueOf = (key: string): string => `{{ value_json.${key} }}`

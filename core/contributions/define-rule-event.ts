import type { TObject } from 'typebox'
import type { Kernel } from '../kernel/types.js'
import type { Dispose } from '../util/emitter.js'
import type { Language } from '../util/preferences.js'

declare module 'prnd' {
  interface Contributions { ruleEvents: RuleEvent }
}

/** What it is called, by language; a missing language is shown in English. */
export type Named = { readonly en: string } & { readonly [K in Language]?: string }

/** One occurrence of an event. */
export interface Occurrence {
  /** Undefined for something that concerns the service as a whole. */
  readonly printer?: string | undefined
  /** As the event declares them. */
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  /**
   * Identifies the occurrence for all services and over restarts, such as `PRINT:finished`, so that it is acted on
   * once.
   */
  readonly key: string
  /** Keys of other services for the same occurrence: it is acted on once for all of them. */
  readonly aliases?: readonly string[]
  /** ms since the epoch. */
  readonly at: number
}

/** Something that happens, which a rule can begin with. */
export interface RuleEvent {
  /** Such as `print.ended`. */
  readonly name: string
  /** A sentence's part that follows "when": `a print ends`. */
  readonly named: Named
  /** Flat: strings, numbers, booleans; each with a description. */
  readonly fields: TObject
  /** What the fields are called, by field. */
  readonly fieldNames: Readonly<Record<string, Named>>
  /** Whether it always concerns one printer. */
  readonly perPrinter: boolean
  readonly watch: (kernel: Kernel, happened: (occurrence: Occurrence) => void) => Dispose
  /** Occurrences of the past, for a dry run. @default there is no record of them */
  readonly past?: (kernel: Kernel, since: number) => Promise<readonly Occurrence[]>
}

/** Declares an event; nothing is observed before the service starts. */
export const defineRuleEvent = (event: RuleEvent): RuleEvent => Object.freeze(event)

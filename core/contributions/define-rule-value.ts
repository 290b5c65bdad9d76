import type { Kernel } from '../kernel/types.js'
import type { Dispose } from '../util/emitter.js'
import type { Named } from './define-rule-event.js'

declare module 'prnd' {
  interface Contributions { ruleValues: RuleValue }
}

/** Something that a rule can compare. */
export interface RuleValue {
  /** Such as `bed.celsius`. */
  readonly name: string
  /** A noun: `the bed's temperature`. */
  readonly named: Named
  readonly type: 'number' | 'text' | 'boolean'
  /** Such as `°C`. */
  readonly unit?: string
  /** The texts that it may take. */
  readonly choices?: readonly string[]
  /** False for one of the service as a whole, which is read without a printer. */
  readonly perPrinter: boolean
  /** The value now, at no cost; undefined while it is not known. */
  readonly read: (kernel: Kernel, printer: string) => string | number | boolean | undefined
  /** Tells whose value may have changed, '' for the service. @default with every report of a printer */
  readonly watch?: (kernel: Kernel, changed: (printer: string) => void) => Dispose
}

/** Declares a value that rules can compare. */
export const defineRuleValue = (value: RuleValue): RuleValue => Object.freeze(value)

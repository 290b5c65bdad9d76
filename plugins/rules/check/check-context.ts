import { closestMatches, mayUse, type AnyOperation, type Caller, type Kernel } from '../../../core/index.js'
import type { ScheduleOptions } from '../engine/schedules.js'
import type { Words } from '../vocabulary/index.js'
import { why, type Why, type WhyCode, type WhyValues } from '../words/why.js'

export interface Problem { readonly path: string, readonly why: Why }
export type Report = (path: string, code: WhyCode, values?: WhyValues) => void

export interface CheckContext {
  readonly kernel: Kernel
  readonly words: Words
  readonly caller: Caller | undefined
  readonly schedule: ScheduleOptions
  readonly now: number
  readonly hasBroker: boolean
  readonly sees: (printer: string) => boolean
}

/** Whether a caller may use an operation. */
export const mayCall = (operation: AnyOperation, { kernel, caller }: Pick<CheckContext, 'kernel' | 'caller'>): boolean =>
  mayUse(kernel, operation, caller)

const MOST_NEAR = 5

/** Names that an unknown one may have meant, in one text. @param shown how a name is said */
export const nearest = (text: string, known: Iterable<string>, shown = (name: string) => name): string | Why =>
  closestMatches(text, [...known], MOST_NEAR).map(shown).join(', ') || why('none')

/** @returns what is wrong with the name of a printer; undefined if a rule may name it */
export function printerProblem (printer: string, { kernel, sees }: Pick<CheckContext, 'kernel' | 'sees'>): Why | undefined {
  const known = kernel.printers.names.filter(sees)
  return known.includes(printer) ? undefined : why('no_such_printer', { printer, near: nearest(printer, known) })
}

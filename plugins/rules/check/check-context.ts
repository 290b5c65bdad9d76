import { mayUse, type AnyOperation, type Caller, type Kernel } from '../../../core/index.js'
import type { ScheduleOptions } from '../engine/schedules.js'
import type { Words } from '../vocabulary/index.js'
import type { Why, WhyCode, WhyValues } from '../words/why.js'

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

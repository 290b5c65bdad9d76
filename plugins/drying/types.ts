import type { AmsModel } from '../../core/index.js'
import type { texts } from './texts/index.js'

type CodeOf<Key, Prefix extends string> = Key extends `${Prefix}.${infer Code}` ? Code : never
/** Each has a text in every language of the page, `drying.why.CODE`. */
export type WhyCode = CodeOf<keyof typeof texts.en, 'drying.why'>
/** Likewise `drying.means.CODE`. */
export type MeansCode = CodeOf<keyof typeof texts.en, 'drying.means'>

/** A sentence that is independent of language. */
export interface Said<Code extends string = string> {
  readonly code: Code
  /** For the placeholders `{name}` in its text. */
  readonly values: Readonly<Record<string, string | number>>
}
export type Why = Said<WhyCode>

export const why = (code: WhyCode, values: Why['values'] = {}): Why => ({ code, values })

/** A spool in a unit, and what it stands. */
export interface SlotFacts {
  readonly slot: number
  /** Empty when unknown. */
  readonly material: string
  /** The lowest of what its type, its tag and its material allow in this unit, °C. */
  readonly limitC: number
  /** How long it takes, h. */
  readonly hours: number
  /** Since when it may have taken up water: dried or opened, ms since the epoch; undefined: unknown. */
  readonly drySince: number | undefined
  /** Id of the spool; empty when unknown. */
  readonly spool: string
}

/** A unit that can dry, as far as plans do not matter. */
export interface UnitFacts {
  readonly printer: string
  readonly serial: string
  readonly unit: number
  readonly model: AmsModel
  /** 0 unknown. */
  readonly humidity: number
  readonly leastC: number
  readonly mostC: number
  readonly slots: readonly SlotFacts[]
  /** Why nothing may dry in it now. */
  readonly obstacles: readonly Why[]
  /** When the queue expects to start a print on its printer, ms since the epoch; undefined: not that we know. */
  readonly nextStartAt: number | undefined
}

/** A unit whose heater may be on. */
export type HotUnit = Pick<UnitFacts, 'printer' | 'serial' | 'unit'>

/** How a drying begins. */
export interface Setting { readonly celsius: number, readonly hours: number }

/** What a plan would do with a unit now: without reasons it begins. */
export interface Verdict {
  readonly reasons: readonly Why[]
  /** Undefined where no temperature is possible. */
  readonly setting: Setting | undefined
}

import { texts } from '../texts/index.js'

type CodeOf<Key> = Key extends `queue.reason.${infer Code}` ? Code : never
/** Each code has a text in every language of the pages, `queue.reason.CODE`. */
export type ReasonCode = CodeOf<keyof typeof texts.en>

/** While a printer is warmed for a job. */
export const WARMING: readonly string[] = ['warming', 'warming_chamber', 'soaking'] satisfies ReasonCode[]

type Value = string | number

/** Why something waits, independent of language. */
export interface Why {
  readonly code: ReasonCode
  /** For the placeholders `{name}` in its text; `name_at` is the same in ms since the epoch, for other time zones. */
  readonly values: Readonly<Record<string, Value>>
}

export const why = (code: ReasonCode, values: Why['values'] = {}): Why => ({ code, values })

/** English text, to follow the name of the printer or job. */
export const textOf = ({ code, values }: Why): string =>
  texts.en[`queue.reason.${code}`].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

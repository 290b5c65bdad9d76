import { en } from '../texts/en.data.js'

type CodeOf<Key> = Key extends `queue.reason.${infer Code}` ? Code : never
/** Each code has a text in every language of the pages, `queue.reason.CODE`. */
export type ReasonCode = CodeOf<keyof typeof en>

type Value = string | number
type PlacesIn<Text> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never
type Places<Code extends ReasonCode> = PlacesIn<(typeof en)[`queue.reason.${Code}`]>
/** The values for the placeholders of a reason's text. */
export type ValuesOf<Code extends ReasonCode> =
  [Places<Code>] extends [never] ? [] : [values: Readonly<Record<Places<Code>, Value>>]

/** Why something waits, independent of language. */
export interface Why {
  readonly code: ReasonCode
  /** For the placeholders `{name}` in its text. */
  readonly values: Readonly<Record<string, Value>>
}

export const why = <Code extends ReasonCode>(code: Code, ...values: ValuesOf<Code>): Why =>
  ({ code, values: values[0] ?? {} })

/** English text, to follow the name of the printer or job. */
export const textOf = ({ code, values }: Why): string =>
  en[`queue.reason.${code}`].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

import { en } from '../texts/en.data.js'

type CodeOf<Key> = Key extends `queue.reason.${infer Code}` ? Code : never
/** Each has its words in every language of the pages, as `queue.reason.CODE`. */
export type ReasonCode = CodeOf<keyof typeof en>

type Value = string | number
type PlacesIn<Text> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never
type Places<Code extends ReasonCode> = PlacesIn<(typeof en)[`queue.reason.${Code}`]>
/** The values that the words of a reason have places for; none where there are no places. */
export type ValuesOf<Code extends ReasonCode> =
  [Places<Code>] extends [never] ? [] : [values: Readonly<Record<Places<Code>, Value>>]

/** What keeps something waiting, free of any language. */
export interface Why {
  readonly code: ReasonCode
  /** For the places `{name}` in its words. */
  readonly values: Readonly<Record<string, Value>>
}

export const why = <Code extends ReasonCode>(code: Code, ...values: ValuesOf<Code>): Why =>
  ({ code, values: values[0] ?? {} })

/** In English, to be read after the name of the printer or job. */
export const textOf = ({ code, values }: Why): string =>
  en[`queue.reason.${code}`].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

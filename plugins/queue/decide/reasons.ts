import { en } from '../texts/en.data.js'

type CodeOf<Key> = Key extends `queue.reason.${infer Code}` ? Code : never
/** Each has its words in every language of the pages, as `queue.reason.CODE`. */
export type ReasonCode = CodeOf<keyof typeof en>

/** What keeps something waiting, free of any language. */
export interface Why {
  readonly code: ReasonCode
  /** For the places `{name}` in its words. */
  readonly values: Readonly<Record<string, string | number>>
}

export const why = (code: ReasonCode, values: Why['values'] = {}): Why => ({ code, values })

/** In English, to be read after the name of the printer or job. */
export const textOf = ({ code, values }: Why): string =>
  en[`queue.reason.${code}`].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

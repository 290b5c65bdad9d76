import type { Language } from '../../../core/index.js'
import { texts } from '../texts/index.js'

type CodeOf<Key> = Key extends `rules.why.${infer Code}` ? Code : never
/** Each code has a text in every language of the pages, `rules.why.CODE`. */
export type WhyCode = CodeOf<keyof typeof texts.en>

/** Values of a reason; one may be a reason itself. */
export type WhyValues = Readonly<Record<string, string | number | Why>>

/** Why something is wrong, or came as it did, independent of language. */
export interface Why { readonly code: WhyCode, readonly values: WhyValues }

export const why = (code: WhyCode, values: WhyValues = {}): Why => ({ code, values })

/** What the service or a printer says in words of its own. */
export const plain = (text: string): Why => why('plain', { text })

export const isWhy = (value: object): value is Why => 'code' in value && 'values' in value

/** Parts of a sentence in a language; empty without a reason. */
export function whyInWords (reason: Why | undefined, lang: Language = 'en'): string {
  if (reason === undefined) return ''
  const { code, values } = reason
  const text = texts[lang][`rules.why.${code}`]
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole
    return typeof value === 'object' ? whyInWords(value, lang) : String(value)
  })
}

const LONGEST_VALUE = 500

/** Bounded, since values come from events and printers. */
const bounded = ({ code, values }: Why): Why => why(code, Object.fromEntries(Object.entries(values)
  .map(([name, value]) => [name, typeof value === 'object' ? bounded(value) : typeof value === 'string' ? value.slice(0, LONGEST_VALUE) : value])))

/** As it is stored. */
export const storedWhy = (reason: Why | undefined): string => reason === undefined ? '' : JSON.stringify(bounded(reason))

/** What was stored; texts of earlier versions stay as they are. */
export function whyFrom (stored: string): Why | undefined {
  if (stored === '') return undefined
  if (!stored.startsWith('{"code":')) return plain(stored)
  const { code, values } = JSON.parse(stored) as Why
  // A later version may have stored it, with a code of its own.
  return Object.hasOwn(texts.en, `rules.why.${code}`) ? { code, values } : plain(code)
}

/** An error with a reason of this plugin. */
export class Problem extends Error {
  readonly why: Why

  constructor (code: WhyCode, values: WhyValues = {}) {
    super(whyInWords(why(code, values)))
    this.why = why(code, values)
  }
}

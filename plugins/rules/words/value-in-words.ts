import type { Language } from '../../../core/index.js'
import { sourceOf } from '../engine/inputs.js'
import { texts } from '../texts/index.js'
import { inWords, type Words } from '../vocabulary/index.js'
import type { Trigger } from '../types.js'
import { SENTENCES } from './sentences.data.js'

/** What stands in a sentence for a part that a rule in the making does not have yet. */
export const MISSING = '…'

type Fill = Readonly<Record<string, string | number | undefined>>

/** Parts of a sentence in a language, with values in their places. */
export const filled = (lang: Language, key: keyof typeof SENTENCES, values: Fill = {}): string =>
  placed(SENTENCES[key][lang], values)

/** A text with values in place of names in braces. */
export const placed = (text: string, values: Fill): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => Object.hasOwn(values, name) ? String(values[name] ?? MISSING) : whole)

const LONGEST_VALUE = 120

/** A text of the page, or undefined. */
export const pageText = (key: string, lang: Language): string | undefined =>
  Object.hasOwn(texts[lang], key) ? (texts[lang] as Readonly<Record<string, string>>)[key] : undefined

/** `bed_temp` or `bedTemp`: bed temp. */
export const plainName = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase()

/** One of the texts that a value may take. */
export const choiceInWords = (value: string, lang: Language): string => pageText(`rules.choice.${value}`, lang) ?? plainName(value)

/** 90 s, 5 min, 2 h. */
export function timeInWords (seconds: number | undefined, lang: Language): string {
  if (seconds === undefined) return MISSING
  if (seconds >= 3_600 && seconds % 3_600 === 0) return filled(lang, 'hours', { n: seconds / 3_600 })
  return seconds >= 60 && seconds % 60 === 0 ? filled(lang, 'minutes', { n: seconds / 60 }) : filled(lang, 'seconds', { n: seconds })
}

/** How the field of an event is called that a value is taken from. */
function fieldInWords (field: string, when: readonly Trigger[], { events }: Words, lang: Language): string {
  const named = when.flatMap(trigger => {
    const names = trigger.kind === 'event' ? events.get(trigger.event)?.fieldNames ?? {} : {}
    return Object.hasOwn(names, field) ? names[field] ?? [] : []
  })[0]
  return named === undefined ? pageText(`rules.field.${field}`, lang) ?? plainName(field) : inWords(named, lang)
}

/** What a value is read with. */
export interface Reading {
  readonly words: Words
  readonly lang: Language
  /** What the rule begins with. */
  readonly when: readonly Trigger[]
}

/** A value as people write it. @param choices the texts that it may take */
export function valueInWords (value: unknown, reading: Reading, choices: readonly string[] = []): string {
  const { lang, words, when } = reading
  if (typeof value === 'boolean') return filled(lang, value ? 'yes' : 'no')
  if (typeof value === 'number') return value.toLocaleString(lang, { maximumFractionDigits: 6 })
  if (Array.isArray(value)) return value.slice(0, 20).map(one => valueInWords(one, reading, choices)).join(filled(lang, 'or')).slice(0, LONGEST_VALUE)
  const source = sourceOf(value)
  if (source !== undefined) return filled(lang, 'from', { field: fieldInWords(source, when, words, lang) })
  if (typeof value === 'object' && value !== null) return JSON.stringify(value).slice(0, LONGEST_VALUE)
  const text = String(value ?? MISSING).slice(0, LONGEST_VALUE)
  return choices.includes(text) ? choiceInWords(text, lang) : text
}

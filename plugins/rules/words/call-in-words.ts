import { CALL_WORDS, DURATIONS, MOMENTS, UNITS, VALUE_WORDS, type CallWords } from '../vocabulary/call-words.data.js'
import { inputsOf, inWords, operationInWords } from '../vocabulary/index.js'
import type { Step } from '../types.js'
import {
  choiceInWords, filled, MISSING, pageText, placed, plainName, timeInWords, valueInWords, type Reading
} from './value-in-words.js'

type CallStep = Extract<Step, { kind: 'call' }>

/** What an input is called. */
const inputInWords = (operation: string, name: string, { lang }: Reading): string =>
  pageText(`rules.input.${operation}.${name}`, lang) ?? (pageText(`rules.input.${name}`, lang) ?? plainName(name)).replace(/ ?[(（](ms|毫秒)[)）]$/, '')

const isSwitch = (name: string): boolean => name === 'on' || name === 'enabled'

/** What people call the thing with this id. */
function nameOf (operation: string, name: string, value: unknown, { words, lang }: Reading): string | undefined {
  const found = words.named?.(operation, name)?.all.find(({ id }) => id === value)
  if (found === undefined) return undefined
  const { name: named, printer } = found
  return printer === undefined || printer === '' ? filled(lang, 'named', { name: named }) : filled(lang, 'named_of', { name: named, printer })
}

/** The value of an input, with its unit, or the name of what it stands for. */
function givenInWords ({ operation }: CallStep, name: string, value: unknown, reading: Reading): string {
  const { words, lang } = reading
  const known = nameOf(operation, name, value, reading)
  if (known !== undefined) return known
  const choices = VALUE_WORDS[name]
  const chosen = typeof value === 'number' && choices && Object.hasOwn(choices, value) ? choices[value] : undefined
  if (chosen) return inWords(chosen, lang)
  if (typeof value === 'boolean' && isSwitch(name)) return choiceInWords(value ? 'on' : 'off', lang)
  if (typeof value === 'number' && Object.hasOwn(DURATIONS, name)) return timeInWords(value * (DURATIONS[name] ?? 1), lang)
  if (typeof value === 'number' && MOMENTS.has(name)) return new Date(value).toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' })
  const { enum: allowed = [] } = inputsOf(words.operations.get(operation) ?? { input: {} } as never)[name] ?? {}
  const text = valueInWords(value, reading, allowed.map(String))
  const unit = UNITS[name.split('_').at(-1) ?? '']
  return unit === undefined || typeof value !== 'number' ? text : `${text} ${unit}`
}

const placesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The first words that fit what it is given. */
const fitting = (operation: string, input: Readonly<Record<string, unknown>>): CallWords | undefined =>
  (Object.hasOwn(CALL_WORDS, operation) ? CALL_WORDS[operation] : undefined)?.find(({ given = {}, words }) =>
    Object.entries(given).every(([key, value]) => input[key] === value) &&
    placesIn(words.en).every(key => Object.hasOwn(input, key)))

/** A call as a person would say it; of what it is about, the event's printer is left out. */
export function callInWords (step: CallStep, reading: Reading): string {
  const { words, lang } = reading
  const { operation: name = MISSING, input = {}, printer = 'event' } = step
  const operation = words.operations.get(name)
  const said = fitting(name, input)
  const text = said ? inWords(said.words, lang) : operation === undefined ? name : operationInWords(operation, lang)
  const own = said ? [...placesIn(text), ...Object.keys(said.given ?? {})] : []
  const given = Object.fromEntries(placesIn(said ? text : '').map(key => [key, givenInWords(step, key, input[key], reading)]))
  const others = Object.entries(input).filter(([key]) => !own.includes(key))
    .map(([key, value]) => filled(lang, 'field', { field: inputInWords(name, key, reading), value: givenInWords(step, key, value, reading) }))
  const act = said ? placed(text, given) : text
  const what = others.length === 0 ? act : `${act} (${others.join(', ')})`
  if (operation?.scope === 'daemon' || printer === 'event') return what
  return filled(lang, 'on_printer', { what, printer })
}

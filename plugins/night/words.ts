import { type Language } from '../../core/index.js'
import { placeInWords } from '../history/index.js'
import { texts as maintenanceTexts } from '../maintenance/index.js'
import { texts } from './texts/index.js'
import type { Report } from './report.js'

const MOST_LINES = 6
const LONGEST_NAME = 80

type Values = Readonly<Record<string, string | number>>

/** Names come from files and printers: one line, without control characters. */
const clean = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim().slice(0, LONGEST_NAME)

type Words = { readonly [L in Language]: Readonly<Record<string, string>> }

const wordsIn = (all: Words, language: Language): Readonly<Record<string, string>> => all[language]

export function sayIn (language: Language, key: string, values: Values = {}): string {
  const text = wordsIn(texts, language)[key] ?? wordsIn(texts, 'en')[key] ?? key
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** The first of a list, and how many more there are. */
function listed (language: Language, lines: readonly string[]): string[] {
  const rest = lines.length - MOST_LINES
  return [...lines.slice(0, MOST_LINES), ...rest > 0 ? [sayIn(language, 'night.text.more', { count: rest })] : []]
}

function needsOf (report: Report, language: Language): string[] {
  const { plates, blocked, spools, maintenance, alerts } = report
  const say = (key: string, values?: Values) => sayIn(language, `night.text.${key}`, values)
  return [
    ...plates.length > 0 ? [say('plates', { printers: listed(language, plates.map(({ printer }) => clean(printer))).join(', ') })] : [],
    ...listed(language, blocked.map(({ name, reason }) => say('blocked', { name: clean(name), reason: clean(reason) }))),
    ...listed(language, spools.map(({ printer, place, material, left_g: left }) =>
      say('spool', { printer: clean(printer), place: placeInWords(place), material: clean(material), grams: Math.round(left) }))),
    ...listed(language, maintenance.map(({ printer, task, name }) => say('maintenance', {
      printer: clean(printer), task: clean(wordsIn(maintenanceTexts, language)[`maintenance.task.${task}`] ?? name)
    }))),
    ...alerts.count > 0 ? [say('alerts', { count: alerts.count })] : []
  ]
}

function energyWords (energy: Report['energy'], language: Language): string[] {
  if (energy === null) return []
  const two = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 2 })
  const kwh = two(energy.wh / 1_000)
  return [energy.cost === null
    ? sayIn(language, 'night.text.energy', { kwh })
    : sayIn(language, 'night.text.energy.cost', { kwh, cost: two(energy.cost), currency: clean(energy.currency) })]
}

/** The morning report as a message. */
export function reportWords (report: Report, language: Language): { readonly title: string, readonly text: string } {
  const { printed, energy, failures, running, elsewhere, acted } = report
  const say = (key: string, values?: Values) => sayIn(language, `night.text.${key}`, values)
  const number = (value: number, digits = 0) => value.toLocaleString(language, { maximumFractionDigits: digits })
  const needs = needsOf(report, language)
  return {
    title: say(`title${printed.prints === 1 ? '.one' : ''}${printed.failed > 0 ? '.failed' : ''}`, { prints: printed.prints, failed: printed.failed }),
    text: [
      say('printed', { ...printed, cost: '', hours: number(printed.hours, 1), grams: number(printed.grams) }),
      ...printed.cost === null ? [] : [say('cost', { cost: number(printed.cost, 2) })],
      ...energyWords(energy, language),
      ...running > 0 ? [say('running', { count: running })] : [],
      ...listed(language, failures.map(({ printer, name, result, why }) =>
        say(result === 'unknown' ? 'unknown' : 'failure', { printer: clean(printer), name: clean(name), why: clean(why) }))),
      ...needs.length > 0 ? [say('needs'), ...needs] : [say('nothing')],
      ...elsewhere.length > 0 ? [say('elsewhere', { printers: listed(language, elsewhere.map(clean)).join(', ') })] : [],
      ...acted.length > 0 ? [say('acted', { count: acted.length })] : []
    ].join('\n')
  }
}

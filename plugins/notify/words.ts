// Titles and texts of messages.

import { alertTexts, type Alert } from '../alerts/index.js'

/** The same headings as on the pages. */
const HEADINGS: Readonly<Record<string, string>> = alertTexts.en

const LONGEST_TITLE = 200
const LONGEST_TEXT = 1_000

/** Job names are untrusted: reduced to one line without control characters. */
const clean = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim() : ''

const numbered = (name: string, value: unknown): string => typeof value === 'number' ? `${name} ${value}` : ''
const joined = (parts: readonly string[], separator: string) => parts.filter(part => part !== '').join(separator)

function duration (minutes: unknown): string {
  if (typeof minutes !== 'number' || minutes < 1) return ''
  const whole = Math.round(minutes)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`
}

type ErrorWords = Readonly<Partial<Record<'code' | 'description' | 'detail' | 'url', unknown>>>

const errorLine = (error: unknown): string => {
  const { code, description, detail, url } = (error ?? {}) as ErrorWords
  return joined([joined([clean(code), clean(detail) || clean(description)], ': '), clean(url)], ' ')
}

/** Unknown stages are left out. */
const stageOf = (name: unknown): string => clean(name) === '' || name === 'unknown' ? '' : `Stage: ${clean(name)}`

const repeatedOf = ({ repeated, since }: Alert['payload']): string => typeof repeated === 'number'
  ? `${repeated} more times since ${clean(since).slice(11, 16)} UTC.`
  : ''

/** For a job whose end was not observed: only the longest possible time is known. */
function unseenLine ({ ended_unseen: isUnseen, unseen_min: minutes }: Alert['payload']): string {
  if (isUnseen !== true) return ''
  const within = duration(minutes)
  return `It ended while the printer was not watched${within === '' ? '' : `, within the last ${within}`}`
}

const linesOf = ({ payload }: Alert): string[] => [
  joined([
    clean(payload.subtask_name) || clean(payload.gcode_file) || clean(payload.job_name) || clean(payload.material),
    numbered('plate', payload.plate_num),
    duration(payload.elapsed_min),
    numbered('layer', payload.layer_num),
    typeof payload.percent === 'number' ? `at ${payload.percent} %` : ''
  ], ', '),
  unseenLine(payload),
  joined([joined([clean(payload.code), clean(payload.reason)], ': '), clean(payload.url)], ' '),
  stageOf(payload.stage_name),
  clean(payload.to_verdict) === '' ? '' : `Verdict: ${clean(payload.from_verdict)} → ${clean(payload.to_verdict)}`,
  ...Array.isArray(payload.errors) ? payload.errors.map(errorLine) : [],
  repeatedOf(payload),
  payload.goes_on === true ? 'It has resumed.' : ''
]

function headingOf (alertType: string, isCancelled = false): string {
  const type = alertType === 'job_failed' && isCancelled ? 'job_cancelled' : alertType
  const words = clean(type.replaceAll('_', ' '))
  return HEADINGS[`alert.${type}`] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export interface Words { readonly title: string, readonly text: string }

export const shortened = ({ title, text }: Words): Words => ({
  title: clean(title).slice(0, LONGEST_TITLE),
  text: text.slice(0, LONGEST_TEXT)
})

export const wordsOf = (alert: Alert): Words => shortened({
  title: joined([clean(alert.printer), headingOf(alert.type, alert.payload.cancelled === true)], ': '),
  text: joined(linesOf(alert), '\n')
})

/** Title and text for the recording of alerts. */
export const clipWordsOf = (printer: string, alerts: readonly { readonly type: string }[], seconds: number): Words =>
  shortened({
    title: `${clean(printer)}: ${joined([...new Set(alerts.map(({ type }) => headingOf(type)))], ', ')}`,
    text: `The moments around it, ${Math.round(seconds)} s`
  })

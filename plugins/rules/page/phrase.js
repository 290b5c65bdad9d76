// The controls that stand in a sentence as its words.

import { t } from 'shell'
import { cronOf, dailyOf, durationOf, secondsOf } from './rule.js'
import { html, Sentence, useState } from './lib.js'

/**
 * A field is as wide as what is in it, also in browsers that cannot do that.
 * @param {string | number} value
 * @param {number} [least]
 */
const wide = (value, least = 4) => ({ '--width': `${Math.min(28, Math.max(least, String(value).length + 1)) + 2}ch` })
const className = (bad, more = '') => `phrase ${more}${bad ? ' bad' : ''}`

/**
 * @param {{ label: string, value: any, choices: readonly { value: any, words: string }[], onChange: (value: any) =>
 *   void, bad?: boolean,
 *   look?: string }} props
 */
export const ChoicePhrase = ({ label, value, choices, onChange, bad = false, look = '' }) => html`<select class=${className(bad, look)} aria-label=${label}
  onChange=${({ target }) => onChange(choices[target.selectedIndex - (isKnown(choices, value) ? 0 : 1)]?.value)}>
  ${!isKnown(choices, value) && html`<option selected disabled>${value ?? ''}</option>`}
  ${choices.map(choice => html`<option key=${String(choice.value)} selected=${choice.value === value}>${choice.words}</option>`)}</select>`
const isKnown = (choices, value) => choices.some(choice => choice.value === value)

/**
 * @param {{ label: string, value: number, onChange: (value: number) => void, unit?: string, minimum?: number,
 *   maximum?: number,
 *   isWhole?: boolean, bad?: boolean }} props
 */
export const NumberPhrase = ({ label, value, onChange, unit = '', minimum, maximum, isWhole = false, bad = false }) => html`<span
  class="measure"><input type="number" class=${className(bad, 'number')} aria-label=${unit === '' ? label : `${label}, ${unit}`}
    defaultValue=${value} min=${minimum} max=${maximum} step=${isWhole ? 1 : 'any'} style=${wide(value, 3)} required
    onInput=${({ target }) => { if (target.value !== '') onChange(Number(target.value)) }} />${unit !== '' && html`<span>${unit}</span>`}</span>`

/**
 * @param {{ label: string, value: string, onChange: (value: string) => void, placeholder?: string, longest?: number,
 *   bad?: boolean }} props
 */
export const TextPhrase = ({ label, value, onChange, placeholder = '', longest = 200, bad = false }) => html`<input
  class=${className(bad)} aria-label=${label} placeholder=${placeholder} maxlength=${longest} defaultValue=${value} spellcheck="false"
  style=${wide(value || placeholder, 8)} onInput=${({ target }) => onChange(target.value)} />`

/** @param {{ label: string, value: string, onChange: (value: string) => void }} props */
export const ClockPhrase = ({ label, value, onChange }) => html`<input type="time" class="phrase" aria-label=${label} required
  defaultValue=${value} onInput=${({ target }) => { if (target.value !== '') onChange(target.value) }} />`

const DURATIONS = ['second', 'minute', 'hour']

/**
 * @param {{ label: string, seconds: number, onChange: (seconds: number) => void, most?: number, bad?: boolean }}
 *   props
 */
export function DurationPhrase ({ label, seconds, onChange, most, bad = false }) {
  const [unit, setUnit] = useState(durationOf(seconds).unit)
  const amount = seconds / secondsOf(1, unit)
  const choices = DURATIONS.map(value => ({ value, words: t(`rules.unit.${value}`, { count: amount }) }))
  return html`<span class="measure"><${NumberPhrase} label=${label} value=${amount} minimum=${0} bad=${bad}
      maximum=${most && most / secondsOf(1, unit)} onChange=${next => onChange(secondsOf(next, unit))} />
    <${ChoicePhrase} label=${t('rules.unit')} value=${unit} choices=${choices}
      onChange=${next => { setUnit(next); onChange(secondsOf(amount, next)) }} /></span>`
}

const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
const WEEK = [1, 2, 3, 4, 5, 6, 7]
/** @param {number} day 1 is Monday @param {string} language @param {'short' | 'long'} weekday */
export const dayName = (day, language, weekday) => new Date(MONDAY + (day - 1) * DAY_MS).toLocaleDateString(language, { weekday, timeZone: 'UTC' })

/** The days of the week as buttons. @param {{ days: readonly number[], onChange: (days: number[]) => void }} props */
export const DaysPhrase = ({ days, onChange }) => {
  const language = document.documentElement.lang
  return html`<span class="days" role="group" aria-label=${t('rules.days')}>${WEEK.map(day => html`<button type="button" key=${day}
    aria-pressed=${String(days.includes(day))} aria-label=${dayName(day, language, 'long')}
    onClick=${() => onChange(days.includes(day) ? days.filter(one => one !== day) : [...days, day].sort())}>
    ${dayName(day, language, 'short').slice(0, 2)}</button>`)}</span>`
}

/**
 * A schedule: a time and days, or any cron expression.
 * @param {{ cron: string, onChange: (cron: string) => void, bad?: boolean }} props
 */
export function SchedulePhrase ({ cron, onChange, bad = false }) {
  const daily = dailyOf(cron)
  const [isCron, setCron] = useState(daily === undefined)
  const toggle = html`<button type="button" class="quiet small" onClick=${() => setCron(!isCron)}
    hidden=${isCron && daily === undefined}>${t(isCron ? 'rules.time.simple' : 'rules.time.cron')}</button>`
  if (isCron || daily === undefined) {
    return html`<${Sentence} text="rules.time.by" parts=${{
      cron: html`<${TextPhrase} label=${t('rules.time.cron')} value=${cron} onChange=${onChange} bad=${bad} longest=${100} />`
    }} /> ${toggle}`
  }
  return html`<${Sentence} text="rules.time.at" parts=${{
    time: html`<${ClockPhrase} label=${t('rules.time')} value=${daily.time} onChange=${time => onChange(cronOf(time, daily.days))} />`,
    days: html`<${DaysPhrase} days=${daily.days} onChange=${days => { if (days.length > 0) onChange(cronOf(daily.time, days)) }} />`
  }} /> ${toggle}`
}

/**
 * Printers by name: all, or some.
 * @param {{ printers: readonly string[] | null, names: readonly string[], onChange: (printers: string[] | null) =>
 *   void,
 *   whose: 'event' | 'each' }} props
 */
export function PrintersPhrase ({ printers, names, onChange, whose }) {
  const [some, setSome] = useState(printers !== null)
  const known = [...new Set([...names, ...printers ?? []])]
  const choices = [{ value: false, words: t(`rules.printers.any.${whose}`) }, { value: true, words: t(`rules.printers.some.${whose}`) }]
  const toggle = name => {
    const next = known.filter(one => (one === name) !== (printers ?? []).includes(one))
    if (next.length > 0) onChange(next) // none would be all, while the sentence says some
  }
  const change = isSome => { setSome(isSome); onChange(isSome ? [known[0]] : null) }
  if (known.length === 1) return html`<b>${known[0]}</b>`
  return html`<${ChoicePhrase} label=${t('rules.printers')} value=${some} choices=${choices} onChange=${change} />
    ${some && html`<span class="days names" role="group" aria-label=${t('rules.printers')}>${known.map(name => html`<button type="button"
      key=${name} aria-pressed=${String(printers?.includes(name) ?? false)} onClick=${() => toggle(name)}>${name}</button>`)}</span>`}`
}

import type { Language } from '../../../core/index.js'
import { consequenceOf, fieldsOf, inWords, type Words } from '../vocabulary/index.js'
import type { Condition, Draft, Step, Trigger } from '../types.js'
import { callInWords } from './call-in-words.js'
import { filled, MISSING, timeInWords, valueInWords } from './value-in-words.js'

function compared (value: string, is: Condition['is'], than: unknown, words: Words, lang: Language): string {
  const known = words.values.get(value)
  const what = known === undefined ? value : inWords(known.named, lang)
  const text = valueInWords(than, { words, lang, when: [] }, known?.choices)
  const shown = known?.type === 'text' || known?.type === 'boolean' || known?.unit === undefined ? text : `${text} ${known.unit}`
  return filled(lang, `is_${is ?? 'equal'}`, { what, than: shown })
}

export function conditionInWords (condition: Condition, words: Words, lang: Language): string {
  const { value, printer, is, than, hours, any, not } = condition
  if (hours !== undefined) {
    const days = hours.days === undefined || hours.days.length === 0 || hours.days.length === 7
      ? ''
      : filled(lang, 'on_days', { days: hours.days.map(day => filled(lang, `day_${day as 1}`)).join(', ') })
    return filled(lang, 'between', { from: hours.from, to: hours.to }) + days
  }
  if (any !== undefined) return any.map(one => conditionInWords(one, words, lang)).join(filled(lang, 'or'))
  if (not !== undefined) return filled(lang, 'not', { what: conditionInWords(not, words, lang) })
  const text = compared(value ?? '', is, than, words, lang)
  return printer === undefined || printer === 'event' ? text : filled(lang, 'of_printer', { what: text, printer })
}

export function triggerInWords (trigger: Trigger, words: Words, lang: Language): string {
  switch (trigger.kind) {
    case 'event': {
      const event = words.events.get(trigger.event)
      const named = event === undefined ? trigger.event : inWords(event.named, lang)
      const wanted = Object.entries(trigger.fields ?? {}).map(([field, value]) => {
        const names = event?.fieldNames ?? {}
        const known = Object.hasOwn(names, field) ? names[field] : undefined
        const choices = event === undefined ? [] : fieldsOf(event).find(({ name }) => name === field)?.choices
        return filled(lang, 'field', { field: known === undefined ? field : inWords(known, lang), value: valueInWords(value, { words, lang, when: [] }, choices) })
      })
      return filled(lang, 'when', { what: wanted.length === 0 ? named : `${named} (${wanted.join(', ')})` })
    }
    case 'state': {
      const text = compared(trigger.value, trigger.is, trigger.than, words, lang)
      const forS = trigger.for_s ?? 0
      return filled(lang, 'when', { what: forS === 0 ? text : filled(lang, 'for', { what: text, time: timeInWords(forS, lang) }) })
    }
    case 'time': return filled(lang, 'at_times', { cron: trigger.cron, zone: trigger.zone ?? '' }).replace(/ \(\)|（）/, '')
    case 'sun': {
      const offset = trigger.offset_min ?? 0
      const key = offset === 0 ? 'sun' : offset < 0 ? 'sun_before' : 'sun_after'
      return filled(lang, key, { event: filled(lang, trigger.event === 'sunset' ? 'sunset' : 'sunrise'), n: Math.abs(offset) })
    }
    case 'mqtt': {
      const { topic = MISSING, path } = trigger
      const where = path === undefined ? topic : `${topic} (${path})`
      return trigger.is === undefined
        ? filled(lang, 'mqtt', { topic: where })
        : filled(lang, 'when', { what: filled(lang, `is_${trigger.is}`, { what: where, than: valueInWords(trigger.than, { words, lang, when: [] }) }) })
    }
    case 'webhook': return filled(lang, 'webhook')
  }
}

const allOf = (conditions: readonly Condition[] | undefined, words: Words, lang: Language): string | undefined =>
  conditions?.map(one => conditionInWords(one, words, lang)).join(filled(lang, 'and'))

/** @param when what the rule begins with, of which a step may use a field */
export function stepInWords (step: Step, words: Words, lang: Language, when: readonly Trigger[] = []): string {
  switch (step.kind) {
    case 'call': return callInWords(step, { words, lang, when })
    case 'wait': return filled(lang, 'wait', { time: timeInWords(step.seconds, lang) })
    case 'wait_until': return filled(lang, step.otherwise === 'go_on' ? 'wait_until_go_on' : 'wait_until', {
      what: allOf(step.if, words, lang), time: timeInWords(step.most_s, lang)
    })
    case 'message': return filled(lang, `message_${step.urgency ?? 'info'}`, { text: step.text })
    case 'stop_if': return filled(lang, 'stop_if', { what: allOf(step.if, words, lang) })
  }
}

export interface InWords { readonly when: string[], readonly if: string[], readonly then: string[] }

export const ruleInWords = (rule: Pick<Draft, 'when' | 'if' | 'then'>, words: Words, lang: Language): InWords => ({
  when: rule.when.map(trigger => triggerInWords(trigger, words, lang)),
  if: rule.if.map(condition => conditionInWords(condition, words, lang)),
  then: rule.then.map(step => stepInWords(step, words, lang, rule.when))
})

/** What operations of a rule bring about, each once, as the operations say it themselves or in another language. */
export const consequencesOf = ({ then }: Pick<Draft, 'then'>, { operations }: Words, lang: Language = 'en'): string[] =>
  [...new Set(then.flatMap(step => {
    const operation = step.kind === 'call' ? operations.get(step.operation) : undefined
    return operation === undefined ? [] : consequenceOf(operation, lang) ?? []
  }))]

/** What the rule does without a person. */
export function consequenceInWords (rule: Draft, words: Words, lang: Language): string {
  const acts = rule.then.filter(({ kind }) => kind === 'call' || kind === 'message').map(step => stepInWords(step, words, lang, rule.when))
  const where = rule.printers === null ? filled(lang, 'all_printers') : filled(lang, 'some_printers', { printers: rule.printers.join(', ') })
  const parts = acts.length === 0
    ? [filled(lang, 'does_nothing')]
    : [filled(lang, 'without_asking', { acts: acts.join(filled(lang, 'then')), where, n: rule.most_per_hour })]
  return [...parts, ...consequencesOf(rule, words, lang)].join(' ')
}

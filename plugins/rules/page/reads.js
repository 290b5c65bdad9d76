// A rule as one sentence, with the words that its editor shows.

import { number, shell, t } from 'shell'
import { dayName } from './phrase.js'
import { dailyOf, durationOf, printersIn, yesNoKey } from './rule.js'
import { isUsable } from './vocabulary.js'

const EVERY_DAY = 7

const tidy = text => text.replaceAll(/\s+/g, ' ').replaceAll(/\s+([,:.])/g, '$1').trim()
const orWords = words => words.join(` ${t('rules.or')} `)
const andWords = words => words.join(` ${t('rules.and')} `)

/** A value in words. @param {any} value @param {{ name: string, unit: string, choices: readonly any[] }} of */
function valueWords (value, { name, unit, choices }) {
  if (Array.isArray(value)) return orWords(value.map(one => valueWords(one, { name, unit, choices })))
  if (typeof value === 'boolean') return t(`${yesNoKey(name)}.${value ? 'yes' : 'no'}`)
  const chosen = choices.find(choice => choice.value === value)
  if (chosen) return chosen.words
  return typeof value === 'number' ? `${number(value)} ${unit}` : String(value)
}

function durationWords (seconds) {
  const { amount, unit } = durationOf(seconds)
  return `${number(amount)} ${t(`rules.unit.${unit}`, { count: amount })}`
}

const daysWords = days => days.map(day => dayName(day, shell.language, 'short')).join(', ')

/** A comparison; a fact is a sentence by itself. */
function comparedWords ({ value: name, is, than, printer = 'event' }, { values }) {
  const value = values.get(name)
  const whose = printer === 'event' ? '' : ` ${t('rules.on.one', { printer })}`
  if (value.type === 'boolean' && than === (is === 'equal')) return `${value.words}${whose}`
  const words = { value: value.words, whose, than: valueWords(than, value) }
  if (value.type === 'number') return t('rules.if.value', { ...words, is: t(`rules.is.${is}`) })
  return t(value.type === 'boolean' ? 'rules.if.fact' : is === 'unequal' ? 'rules.if.is_not' : 'rules.if.is', words)
}

/** @param {any} condition @param {import('./vocabulary.js').Vocabulary} vocabulary @returns {string} */
function conditionWords (condition, vocabulary) {
  const { any, not, hours } = condition
  if (not) return `${t('rules.not')}: ${conditionWords(not, vocabulary)}`
  if (any) return orWords(any.map(one => conditionWords(one, vocabulary)))
  if (!hours) return comparedWords(condition, vocabulary)
  const isDaily = (hours.days?.length ?? EVERY_DAY) === EVERY_DAY
  return t(isDaily ? 'rules.if.hours.daily' : 'rules.if.hours', { ...hours, days: daysWords(hours.days ?? []) })
}

function eventWords ({ event, fields = {} }, { events }) {
  const known = events.get(event)
  const given = Object.entries(fields).map(([name, value]) => {
    const field = known.fields.find(one => one.name === name)
    return `${field?.words ?? name}: ${valueWords(value, field ?? { name, unit: '', choices: [] })}`
  })
  return given.length === 0 ? known.words : `${known.words} (${given.join(', ')})`
}

function timeWords ({ cron }) {
  const daily = dailyOf(cron)
  if (daily === undefined) return t('rules.time.by', { cron })
  const isDaily = daily.days.length === EVERY_DAY
  return t(isDaily ? 'rules.time.daily' : 'rules.time.at', { time: daily.time, days: daysWords(daily.days) })
}

function sunWords ({ event, offset_min: offset = 0 }) {
  const words = { event: t(`rules.sun.${event}`), minutes: Math.abs(offset), side: t(`rules.side.${offset < 0 ? -1 : 1}`) }
  return t(offset === 0 ? 'rules.when.sun.at' : 'rules.when.sun', words)
}

const TRIGGERS = {
  event: eventWords,
  state: (trigger, vocabulary) => {
    const words = comparedWords(trigger, vocabulary)
    return trigger.for_s > 0 ? `${words}, ${t('rules.for.while')} ${durationWords(trigger.for_s)}` : words
  },
  time: timeWords,
  sun: sunWords,
  mqtt: ({ topic }) => t('rules.reads.mqtt', { topic }),
  webhook: () => t('rules.when.webhook')
}

const allWords = (conditions, vocabulary) => andWords(conditions.map(one => conditionWords(one, vocabulary)))

const STEPS = {
  wait: ({ seconds }) => t('rules.then.wait', { time: durationWords(seconds) }),
  wait_until: (step, vocabulary) => t('rules.reads.wait_until', { what: allWords(step.if, vocabulary), time: durationWords(step.most_s) }),
  message: ({ text }) => t('rules.reads.message', { text }),
  stop_if: (step, vocabulary) => t('rules.reads.stop_if', { what: allWords(step.if, vocabulary) })
}

/**
 * A rule in words: as the page says it, or as the service does where the page lacks a word. What is called is said by
 * the service, which knows what each operation takes.
 * @param {any} rule @param {any} reads of the service @param {import('./vocabulary.js').Vocabulary} vocabulary
 * @returns {{ when: string, if: string, then: string[] }}
 */
export function readsOf (rule, reads, vocabulary) {
  if (!isUsable({ if: [], ...rule }, vocabulary)) {
    return { when: orWords(reads.when), if: andWords(reads.if), then: reads.then }
  }
  const whose = printersIn({ if: [], ...rule }, vocabulary)
  const names = rule.printers ? orWords(rule.printers) : t(`rules.printers.any.${whose ?? 'event'}`)
  const where = whose && vocabulary.printers.length > 1 ? `, ${t(`rules.on.${whose}`, { printers: names })}` : ''
  return {
    when: tidy(orWords(rule.when.map(trigger => TRIGGERS[trigger.kind](trigger, vocabulary))) + where),
    if: tidy(allWords(rule.if ?? [], vocabulary)),
    then: rule.then.map((step, at) => tidy(step.kind === 'call' ? reads.then[at] : STEPS[step.kind](step, vocabulary)))
  }
}

// Rules while they are edited: changes by path, new parts, and what is sent. Pure.

/** Identifies a part while it moves; as a symbol it is copied with the part, and never sent. */
export const KEY = Symbol('key')
let parts = 0
const LISTS = ['when', 'if', 'then', 'any']

/** Gives every part of a rule its key. @param {any} value @returns {any} */
export function keyed (value) {
  if (Array.isArray(value)) return value.map(keyed)
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value, [KEY]: ++parts }
  for (const name of [...LISTS, 'not']) if (typeof copy[name] === 'object') copy[name] = keyed(copy[name])
  return copy
}

/** @typedef {readonly (string | number)[]} Path */

/** @param {any} value @param {Path} path */
export const valueAt = (value, path) => path.reduce((part, name) => part?.[name], value)

/**
 * A copy with another value at a path; undefined removes the member.
 * @param {any} value @param {Path} path @param {any} next @returns {any}
 */
export function withAt (value, [name, ...rest], next) {
  if (name === undefined) return next
  if (Array.isArray(value)) return value.map((part, at) => at === name ? withAt(part, rest, next) : part)
  const inner = withAt(value?.[name], rest, next)
  if (inner !== undefined) return { ...value, [name]: inner }
  const { [name]: _removed, ...others } = value
  return others
}

/** @param {any} rule @param {Path} path of a part in a list */
export function withoutAt (rule, path) {
  const list = path.slice(0, -1)
  return withAt(rule, list, valueAt(rule, list).filter((_, at) => at !== path.at(-1)))
}

/** @param {any} rule @param {Path} path of a part in a list @param {number} by 1 or -1 */
export function movedAt (rule, path, by) {
  const list = path.slice(0, -1)
  const at = Number(path.at(-1))
  const found = [...valueAt(rule, list)]
  if (found[at + by] === undefined) return rule
  ;[found[at], found[at + by]] = [found[at + by], found[at]]
  return withAt(rule, list, found)
}

export const NEW_RULE = { name: '', printers: null, when: [], if: [], then: [], most_per_hour: 6 }

/** A number to begin with, by the unit. @type {Record<string, number>} */
const USUAL = { '°C': 40, '%': 50, g: 50, min: 10, W: 10 }

/** What a comparison begins with. @param {any} value of the vocabulary */
const comparison = ({ type, choices, unit }) => {
  if (type === 'number') return { is: 'above', than: USUAL[unit] ?? 0 }
  return { is: 'equal', than: type === 'boolean' ? true : choices[0]?.value ?? '' }
}

const WAIT_S = 600
const MOST_S = 3_600

/** A new trigger. @param {string} kind @param {any} [of] the event or value @param {string} [zone] */
export function newTrigger (kind, of, zone = 'UTC') {
  const made = {
    event: () => ({ event: of.name }),
    state: () => ({ value: of.name, ...comparison(of), for_s: 0 }),
    time: () => ({ cron: '0 8 * * *', zone }),
    sun: () => ({ event: 'sunset', offset_min: 0 }),
    mqtt: () => ({ topic: '' }),
    webhook: () => ({})
  }[kind]?.()
  return keyed({ kind, ...made })
}

/** A new condition. @param {string} kind `value`, `hours`, `any` or `not` @param {any} [of] @param {string} [zone] */
export function newCondition (kind, of, zone = 'UTC') {
  if (kind === 'hours') return keyed({ hours: { from: '22:00', to: '06:00', days: [1, 2, 3, 4, 5, 6, 7], zone } })
  if (kind === 'any') return keyed({ any: [] })
  const compared = { value: of.name, ...of.perPrinter && { printer: 'event' }, ...comparison(of) }
  return keyed(kind === 'not' ? { not: compared } : compared)
}

/** What is switched is on or off, everything else yes or no. @param {string} name of an input */
export const yesNoKey = name => name === 'on' || name === 'enabled' ? 'rules.on' : 'rules'

/** What an input begins with. @param {any} input of the vocabulary */
export const initial = ({ type, choices, initial: given, minimum }) => {
  if (given !== undefined) return given
  if (choices.length > 0) return choices[0].value
  return { number: Math.max(minimum ?? 0, 0), integer: Math.max(minimum ?? 0, 0), boolean: true, list: [], object: {} }[type] ?? ''
}

/** A new step. @param {string} kind @param {any} [of] the operation */
export function newStep (kind, of) {
  const made = {
    call: () => ({
      operation: of.name,
      ...of.perPrinter && { printer: 'event' },
      input: of.inputs.filter(({ required }) => required)
        .reduce((input, one) => withAt(input, one.path, initial(one)), {})
    }),
    wait: () => ({ seconds: WAIT_S }),
    wait_until: () => ({ if: [], most_s: MOST_S, otherwise: 'stop' }),
    message: () => ({ text: '', urgency: 'info' }),
    stop_if: () => ({ if: [] })
  }[kind]?.()
  return keyed({ kind, ...made })
}

const EDITED = ['name', 'printers', 'when', 'if', 'then', 'most_per_hour']

/** What the service gets of a rule. @param {any} rule */
export const toSend = rule => Object.fromEntries(EDITED.map(name => [name, rule[name]]))

/** A path as text, however it was written: `when[0].than` and `/when/0/than` are `when.0.than`. @param {string} path */
export const pathText = path => path.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('/', '.').replace(/^[.$]+/, '')

/**
 * What is wrong with a part itself, and with what is in it as far as that is not a part of its own.
 * @param {readonly { path: string, words: string }[]} problems @param {Path} path @param {readonly string[]} [inner]
 */
export function problemsAt (problems, path, inner = []) {
  const own = path.join('.')
  return problems.filter(({ path: at }) => {
    if (at === own) return true
    if (!at.startsWith(`${own}.`)) return false
    return !inner.includes(at.slice(own.length + 1).split('.')[0])
  })
}

const plainField = (name, type) => ({ name, words: '', type, choices: [] })

/** @param {any} trigger @param {any} vocabulary */
function fieldsOfTrigger ({ kind, event, value }, { events, values }) {
  if (kind === 'mqtt') return [plainField('topic', 'text'), plainField('payload', 'text')]
  const of = kind === 'event' ? events.get(event) : kind === 'state' ? values.get(value) : undefined
  if (of === undefined) return []
  const own = kind === 'event' ? of.fields : [plainField('value', of.type)]
  return [...of.perPrinter ? [plainField('printer', 'text')] : [], ...own]
}

const ofEvent = ({ printer = 'event' }) => printer === 'event'

/** @param {any} condition @param {any} vocabulary */
const needsPrinter = ({ value, any = [], not, ...rest }, vocabulary) =>
  (value !== undefined && ofEvent(rest) && vocabulary.values.get(value)?.perPrinter === true) ||
  any.some(inner => needsPrinter(inner, vocabulary)) || (not !== undefined && needsPrinter(not, vocabulary))

/**
 * Whether the printer matters: `event` where it is that of the event, `each` where the rule runs for each of its
 * printers, because it begins with something that concerns none.
 * @param {any} rule @param {any} vocabulary @returns {'event' | 'each' | undefined}
 */
export function printersIn ({ when, if: conditions, then }, vocabulary) {
  if (when.some(trigger => fieldsOfTrigger(trigger, vocabulary).some(({ name }) => name === 'printer'))) return 'event'
  const all = [...conditions, ...then.flatMap(step => step.if ?? [])]
  const isEach = all.some(condition => needsPrinter(condition, vocabulary)) || then.some(step =>
    step.kind === 'call' && ofEvent(step) && vocabulary.operations.get(step.operation)?.perPrinter === true)
  return isEach ? 'each' : undefined
}

/**
 * What a step may use of the occurrence: the fields that all beginnings have.
 * @param {any} rule @param {any} vocabulary
 */
export function fieldsOf ({ when }, vocabulary) {
  const lists = when.map(trigger => fieldsOfTrigger(trigger, vocabulary))
  return (lists[0] ?? []).filter(({ name }) => lists.every(fields => fields.some(field => field.name === name)))
}

const UNITS = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]]

/**
 * The largest unit in which a time is a whole number.
 * @param {number} seconds
 * @returns {{ amount: number, unit: string }}
 */
export function durationOf (seconds) {
  const [unit, size] = UNITS.find(([name, size]) => seconds > 0 && seconds % Number(size) === 0 && name !== 'day') ?? ['minute', 60]
  return { amount: seconds / Number(size), unit: String(unit) }
}

/** @param {number} amount @param {string} unit */
export const secondsOf = (amount, unit) => Math.round(amount * Number(UNITS.find(([name]) => name === unit)?.[1] ?? 1))

const SIMPLE_CRON = /^(\d{1,2}) (\d{1,2}) \* \* ([\d,*-]{1,20})$/
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]

/** Days in the words of a cron expression; Sunday is 0 or 7 there. @param {string} text */
function daysIn (text) {
  if (text === '*') return ALL_DAYS
  const days = text.split(',').flatMap(part => {
    const [from, to = from] = part.split('-').map(Number)
    return ALL_DAYS.concat(0).filter(day => day >= from && day <= to)
  })
  return ALL_DAYS.filter(day => days.includes(day) || (day === 7 && days.includes(0)))
}

/** Time and days of a cron expression that says no more. @param {string} cron */
export function dailyOf (cron) {
  const found = SIMPLE_CRON.exec(cron)
  if (!found || Number(found[1]) > 59 || Number(found[2]) > 23) return undefined
  const days = daysIn(found[3])
  return days.length === 0 ? undefined : { time: `${found[2].padStart(2, '0')}:${found[1].padStart(2, '0')}`, days }
}

/** @param {string} time such as 22:00 @param {readonly number[]} days 1 is Monday */
export function cronOf (time, days) {
  const [hours, minutes] = time.split(':').map(Number)
  const on = days.length === 7 || days.length === 0 ? '*' : days.map(day => day % 7).sort().join(',')
  return `${minutes} ${hours} * * ${on}`
}

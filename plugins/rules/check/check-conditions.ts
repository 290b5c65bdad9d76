import type { RuleEvent } from '../../../core/index.js'
import { minutesIn } from '../engine/compare.js'
import { fieldsOf, type FieldType, type Words } from '../vocabulary/index.js'
import type { Condition, Trigger } from '../types.js'
import { why, type Why } from '../words/why.js'
import { nearest, printerProblem, type CheckContext, type Report } from './check-context.js'

const LONGEST_TEXT = 200
const MOST_CHOICES = 20

/** Fields that every beginning of a rule has, by name. */
export type Fields = ReadonlyMap<string, FieldType>

const field = (name: string, type: FieldType['type']): [string, FieldType] => [name, { name, type, choices: [] }]

function fieldsOfTrigger (trigger: Trigger, { events, values }: Words): Map<string, FieldType> {
  const printer = field('printer', 'text')
  if (trigger.kind === 'event') {
    const event = events.get(trigger.event)
    const own = event === undefined ? [] : fieldsOf(event).map((type): [string, FieldType] => [type.name, type])
    return new Map([...own, ...event?.perPrinter === false ? [] : [printer]])
  }
  if (trigger.kind === 'state') {
    const value = values.get(trigger.value)
    return new Map([...value === undefined ? [] : [field('value', value.type)], ...value?.perPrinter === false ? [] : [printer]])
  }
  return trigger.kind === 'mqtt' ? new Map([field('topic', 'text'), field('payload', 'text')]) : new Map()
}

/** What a step may use: the fields that all beginnings have, with one type. */
export function fieldsOfTriggers (when: readonly Trigger[], words: Words): Fields {
  const [first = new Map<string, FieldType>(), ...others] = when.map(trigger => fieldsOfTrigger(trigger, words))
  return new Map([...first].filter(([name, { type }]) => others.every(other => other.get(name)?.type === type)))
}

const isOfType = (value: unknown, type: FieldType['type']): boolean => type === 'number'
  ? typeof value === 'number' && Number.isFinite(value)
  : type === 'boolean' ? typeof value === 'boolean' : typeof value === 'string' && value.length <= LONGEST_TEXT

/** @returns why it cannot be compared */
function problemOf (than: unknown, { type, choices }: Pick<FieldType, 'type' | 'choices'>): Why | undefined {
  if (!isOfType(than, type)) return why(`must_${type}`)
  return choices.length > 0 && !choices.includes(String(than)) ? why('must_one_of', { choices: choices.join(', ') }) : undefined
}

const listProblem = (than: unknown, kind: Pick<FieldType, 'type' | 'choices'>): Why | undefined =>
  !Array.isArray(than) || than.length === 0 || than.length > MOST_CHOICES
    ? why('must_list', { most: MOST_CHOICES })
    : than.map(one => problemOf(one, kind)).find(problem => problem !== undefined)

/** Values that the fields of an event must have; a list accepts any of its values. */
export function checkFields (wanted: Readonly<Record<string, unknown>>, event: RuleEvent, path: string,
  report: Report): void {
  const known = new Map(fieldsOf(event).map(type => [type.name, type]))
  for (const [name, value] of Object.entries(wanted)) {
    const type = known.get(name)
    const problem = type === undefined
      ? why('event_has_no', { name, has: [...known.keys()].join(', ') || why('none') })
      : Array.isArray(value) ? listProblem(value, type) : problemOf(value, type)
    if (problem !== undefined) report(`${path}.${name}`, problem.code, problem.values)
  }
}

export function checkComparing ({ value, is, than }: Pick<Condition, 'value' | 'is' | 'than'>, path: string,
  { words }: CheckContext, report: Report): void {
  const known = words.values.get(value ?? '')
  if (known === undefined) return report(`${path}.value`, 'no_value', { value: value ?? '', near: nearest(value ?? '', words.values.keys()) })
  if (is === undefined) return report(`${path}.is`, 'missing')
  const kind = { type: known.type, choices: known.choices ?? [] }
  if ((is === 'below' || is === 'above') && known.type !== 'number') return report(`${path}.is`, 'only_numbers')
  const problem = is === 'one_of' ? listProblem(than, kind) : problemOf(than, kind)
  if (problem !== undefined) report(`${path}.than`, problem.code, problem.values)
}

export function checkCondition (condition: Condition, path: string, context: CheckContext, report: Report): void {
  const { value, printer, hours, any, not } = condition
  const kinds = [value, hours, any, not].filter(part => part !== undefined)
  if (kinds.length !== 1) return report(path, 'one_kind')
  if (hours !== undefined) {
    for (const key of ['from', 'to'] as const) if (minutesIn(hours[key]) === undefined) report(`${path}.hours.${key}`, 'time_like')
    if (hours.zone !== undefined && !isZone(hours.zone)) report(`${path}.hours.zone`, 'no_zone')
    return
  }
  if (any !== undefined) {
    if (any.length === 0) report(`${path}.any`, 'empty')
    for (const [at, one] of any.entries()) checkCondition(one, `${path}.any[${at}]`, context, report)
    return
  }
  if (not !== undefined) return checkCondition(not, `${path}.not`, context, report)
  checkComparing(condition, path, context, report)
  const problem = printer === undefined || printer === 'event' ? undefined : printerProblem(printer, context)
  if (problem !== undefined) report(`${path}.printer`, problem.code, problem.values)
}

function isZone (zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

import { isNestedWithin } from '../../../core/index.js'
import { nextTime, type ScheduleOptions } from '../engine/schedules.js'
import { placeholdersIn } from '../engine/inputs.js'
import type { Condition, Draft, Step, Trigger } from '../types.js'
import { why, type Why } from '../words/why.js'
import { checkHeat, checkLoops } from './check-acts.js'
import { checkCall } from './check-call.js'
import { nearest, printerProblem, type CheckContext, type Problem, type Report } from './check-context.js'
import { checkComparing, checkCondition, checkFields, fieldsOfTriggers, type Fields } from './check-conditions.js'

/** A rule is stored as text of at most this length. */
const MOST_CHARS = 32_768
const MOST_LEVELS = 12
const MOST_HOURS = 20

/** Names that would reach into objects; JSON can contain them. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

function hasUnsafeKey (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && UNSAFE.has(key)) || hasUnsafeKey(inner))
}

/** Whether it can be looked at at all. */
function sizeProblem (draft: unknown): Why | undefined {
  if (!isNestedWithin(draft, MOST_LEVELS)) return why('too_deep', { most: MOST_LEVELS })
  if (JSON.stringify(draft).length > MOST_CHARS) return why('too_long', { most: MOST_CHARS })
  return hasUnsafeKey(draft) ? why('bad_names') : undefined
}

/** All errors of a rule, each with its place. */
export function checkRule (draft: Draft, context: CheckContext): { errors: Problem[], warnings: Problem[] } {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  const problem = sizeProblem(draft)
  if (problem !== undefined) return { errors: [{ path: '', why: problem }], warnings }
  const report: Report = (path, code, values) => {
    if (errors.length < 50) errors.push({ path, why: why(code, values) })
  }
  if (draft.name.trim() === '' || /[\p{Cc}\p{Cf}]/u.test(draft.name)) report('name', 'name')
  for (const [at, printer] of (draft.printers ?? []).entries()) {
    const unknown = printerProblem(printer, context)
    if (unknown !== undefined) report(`printers[${at}]`, unknown.code, unknown.values)
  }
  for (const [at, trigger] of draft.when.entries()) checkTrigger(trigger, `when[${at}]`, context, report)
  if (draft.when.filter(({ kind }) => kind === 'webhook').length > 1) report('when', 'one_webhook')
  for (const [at, condition] of draft.if.entries()) checkCondition(condition, `if[${at}]`, context, report)
  const fields = fieldsOfTriggers(draft.when, context.words)
  for (const [at, step] of draft.then.entries()) checkStep(step, `then[${at}]`, fields, context, report)
  if (hoursIn(draft) > MOST_HOURS) report('if', 'many_hours', { most: MOST_HOURS })
  checkHeat(draft.then, report)
  checkLoops(draft, report)
  if (!draft.then.some(({ kind }) => kind === 'call' || kind === 'message')) warnings.push({ path: 'then', why: why('does_nothing') })
  for (const [at, trigger] of draft.when.entries()) {
    if (trigger.kind === 'event' && context.words.events.get(trigger.event)?.past === undefined && errors.length === 0) {
      warnings.push({ path: `when[${at}]`, why: why('no_past') })
    }
  }
  return { errors, warnings }
}

/** Conditions on hours, which cost the most, wherever they are. */
function hoursIn ({ if: conditions, then }: Pick<Draft, 'if' | 'then'>): number {
  const count = ({ hours, any = [], not }: Condition): number =>
    (hours === undefined ? 0 : 1) + any.reduce((sum, one) => sum + count(one), 0) + (not === undefined ? 0 : count(not))
  const all = [...conditions, ...then.flatMap(step => step.kind === 'wait_until' || step.kind === 'stop_if' ? step.if ?? [] : [])]
  return all.reduce((sum, one) => sum + count(one), 0)
}

function checkTrigger (trigger: Trigger, path: string, context: CheckContext, report: Report): void {
  const { words, schedule, now, hasBroker } = context
  switch (trigger.kind) {
    case 'event': {
      const event = words.events.get(trigger.event ?? '')
      if (event === undefined) return report(`${path}.event`, 'no_event', { event: trigger.event ?? '', near: nearest(trigger.event ?? '', words.events.keys()) })
      return checkFields(trigger.fields ?? {}, event, `${path}.fields`, report)
    }
    case 'state': return checkComparing(trigger, path, context, report)
    case 'sun':
      if (trigger.event !== 'sunrise' && trigger.event !== 'sunset') return report(`${path}.event`, 'sun')
      if (schedule.place === undefined) report(path, 'no_place')
      return
    case 'time': return checkTime(trigger, path, schedule, now, report)
    case 'mqtt':
      if (!hasBroker) report(path, 'no_broker')
      return checkTopic(trigger, path, report)
    case 'webhook':
  }
}

function checkTime (trigger: Extract<Trigger, { kind: 'time' }>, path: string, schedule: ScheduleOptions, now: number, report: Report): void {
  if (trigger.cron === undefined) return report(`${path}.cron`, 'missing')
  try {
    if (nextTime(trigger, now, schedule) === undefined) report(`${path}.cron`, 'no_time')
  } catch (error) {
    const isZone = /timezone|time zone/i.test(String(error))
    report(`${path}.${isZone ? 'zone' : 'cron'}`, isZone ? 'no_zone' : 'five_parts')
  }
}

const PATH = /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,7}$/

function checkTopic (trigger: Extract<Trigger, { kind: 'mqtt' }>, path: string, report: Report): void {
  const { topic = '', path: member, is, than } = trigger
  const levels = topic.split('/')
  const isWrong = topic === '' || /[\p{Cc}]/u.test(topic) || topic.startsWith('$') || topic === '#' || topic === '+/#' ||
    levels.some((level, at) => level.length > 1 && /[+#]/.test(level) ? true : level === '#' && at < levels.length - 1)
  if (isWrong) report(`${path}.topic`, 'topic')
  if (member !== undefined && !PATH.test(member)) report(`${path}.path`, 'member_path')
  if ((is === undefined) !== (than === undefined)) report(`${path}.than`, 'is_than')
  const isText = typeof than === 'string' && than.length <= 200
  const isOne = isText || typeof than === 'number' || typeof than === 'boolean'
  const isFine = is === 'one_of' ? Array.isArray(than) && than.length <= 20 : is === 'below' || is === 'above' ? typeof than === 'number' : isOne
  if (is !== undefined && than !== undefined && !isFine) report(`${path}.than`, 'than_unfit')
}

function checkStep (step: Step, path: string, fields: Fields, context: CheckContext, report: Report): void {
  switch (step.kind) {
    case 'call': return checkCall(step, path, fields, context, report)
    case 'wait':
      if (step.seconds === undefined) report(`${path}.seconds`, 'missing')
      return
    case 'wait_until':
      if (step.most_s === undefined) report(`${path}.most_s`, 'missing')
      return checkConditions(step.if, path, context, report)
    case 'stop_if': return checkConditions(step.if, path, context, report)
    case 'message':
      if (step.text === undefined || step.text.trim() === '') return report(`${path}.text`, 'missing')
      for (const name of placeholdersIn(step.text)) {
        if (name !== 'rule' && !fields.has(name)) report(`${path}.text`, 'field_not_everywhere', { field: `{${name}}` })
      }
  }
}

function checkConditions (conditions: Draft['if'] | undefined, path: string, context: CheckContext, report: Report): void {
  if (conditions === undefined || conditions.length === 0) return report(`${path}.if`, 'missing')
  for (const [at, condition] of conditions.entries()) checkCondition(condition, `${path}.if[${at}]`, context, report)
}

import { createHash } from 'node:crypto'
import type { Comparing, Rule, Trigger } from '../types.js'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

type OfKind<K extends Trigger['kind']> = Extract<Trigger, { kind: K }>
export interface Bound<K extends Trigger['kind']> { readonly rule: Rule, readonly trigger: OfKind<K> }

type Values = Readonly<Record<string, unknown>>
/** What fields of an event must be: one value, or one of a list. */
type Wanted = readonly (readonly [field: string, value: unknown, list: readonly unknown[] | undefined])[]

/** A rule that begins with an event; its fields are prepared, since many rules may look at one occurrence. */
export interface OfEvent { readonly rule: Rule, readonly wanted: Wanted }

/** A comparison that rules begin with; rules with the same one share it. */
export interface Predicate {
  /** The same for all services and over restarts. */
  readonly id: string
  /** Position in the index. */
  readonly number: number
  readonly comparing: Comparing
  readonly value: string
  readonly rules: readonly { readonly rule: Rule, readonly forMs: number }[]
}

/** Rules by what they begin with, so that an occurrence costs no more than the rules that it concerns. */
export interface RuleIndex {
  readonly rules: ReadonlyMap<string, Rule>
  readonly events: ReadonlyMap<string, readonly OfEvent[]>
  readonly predicates: readonly Predicate[]
  readonly byValue: ReadonlyMap<string, readonly Predicate[]>
  readonly times: readonly (Bound<'time'> | Bound<'sun'>)[]
  readonly topics: ReadonlyMap<string, readonly Bound<'mqtt'>[]>
  readonly hooks: ReadonlyMap<string, Rule>
}

const push = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** The same for all services and over restarts. */
export const predicateId = ({ value, is, than }: Pick<OfKind<'state'>, 'value' | 'is' | 'than'>): string =>
  digest(JSON.stringify([value, is, than]))

/** Only rules that are switched on and not paused are in it, but all are found by id. */
export function createIndex (all: readonly Rule[]): RuleIndex {
  const events = new Map<string, OfEvent[]>()
  const topics = new Map<string, Bound<'mqtt'>[]>()
  interface Shared { comparing: Comparing, value: string, rules: { rule: Rule, forMs: number }[] }
  const predicates = new Map<string, Shared>()
  const times: (Bound<'time'> | Bound<'sun'>)[] = []
  const hooks = new Map<string, Rule>()
  for (const rule of all) {
    if (!rule.enabled || rule.pausedReason !== null) continue
    for (const trigger of rule.when) {
      if (trigger.kind === 'event') push(events, trigger.event, { rule, wanted: wantedOf(trigger.fields) })
      else if (trigger.kind === 'mqtt') push(topics, trigger.topic, { rule, trigger })
      else if (trigger.kind === 'time') times.push({ rule, trigger })
      else if (trigger.kind === 'sun') times.push({ rule, trigger })
      else if (trigger.kind === 'webhook') { if (rule.webhook !== '') hooks.set(rule.webhook, rule) } else {
        const { value, is, than, for_s: forS = 0 } = trigger
        const id = predicateId(trigger)
        const entry = predicates.get(id) ?? { comparing: { is, than }, value, rules: [] }
        entry.rules.push({ rule, forMs: forS * 1000 })
        predicates.set(id, entry)
      }
    }
  }
  const numbered = [...predicates].map(([id, entry], number) => ({ id, number, ...entry }))
  const byValue = new Map<string, Predicate[]>()
  for (const predicate of numbered) push(byValue, predicate.value, predicate)
  const rules = new Map(all.map(rule => [rule.id, rule]))
  return { rules, events, predicates: numbered, byValue, times, topics, hooks }
}

/** Prepares what fields of an event must be. */
export const wantedOf = (fields: Values = {}): Wanted =>
  Object.entries(fields).map(([field, value]) => [field, value, Array.isArray(value) ? value as unknown[] : undefined])

/** Whether fields of an event are as a rule wants them; a list accepts any of its values. */
export function fits (wanted: Wanted, fields: Values): boolean {
  for (const [field, value, list] of wanted) {
    if (!Object.hasOwn(fields, field)) return false
    const found = fields[field]
    if (list === undefined ? found !== value : !list.includes(found)) return false
  }
  return true
}

/** Whether a rule concerns a printer; what its author may see is checked when it runs. */
export const concerns = ({ printers }: Pick<Rule, 'printers'>, printer: string | undefined): boolean =>
  printer === undefined || printers === null || printers.includes(printer)

/** The id of a run: of two services, or after a restart, the same occurrence gets the same one. */
export const runId = (rule: string, key: string): string => digest(`${rule}\n${key}`)

import type { Kysely } from '../database/index.js'
import type { Act, Author, Draft, Heat, Plain, Rule, Run, RunState, StepRecord, StepState } from './types.js'
import { storedWhy, whyFrom } from './words/why.js'

/**
 * Times are ms since the epoch, booleans 0 or 1; `spec`, `author`, `fields`, `chain`, `trail`, `act` and reasons are
 * JSON.
 */
export interface Tables {
  rules_rules: {
    id: string
    name: string
    spec: string
    enabled: number
    author: string
    created_at: number
    changed_at: number
    armed_at: number
    paused: string | null
    webhook: string
    failures: number
  }
  rules_runs: {
    id: string
    rule: string
    rule_name: string
    version: number
    printer: string | null
    occurrence: string
    at: number
    began_at: number
    ended_at: number | null
    state: string
    reason: string
    fields: string
    chain: string
    owner: string
    lease_until: number
    step: number
    step_state: string
    wait_until: number | null
    trail: string
  }
  rules_steps: {
    id: string
    run: string
    step: number
    state: string
    at: number
    ended_at: number | null
    what: string
    reason: string
    act: string | null
  }
  /** Targets that runs have set and not ended. */
  rules_heat: {
    id: string
    run: string
    rule_name: string
    printer: string
    operation: string
    extruder: number | null
    celsius: number
    set_at: number
    until: number
    told: number
  }
  /** Whether a comparison holds for a printer, and since when. */
  rules_edges: { id: string, is_true: number, since: number }
  /** `owner`: id of the user whose program proposed it. */
  rules_proposals: { id: string, made_by: string, owner: string, at: number, why: string, rule: string }
  /** `switch`: the main switch; `version`: of the rules; `seen`: when a service last looked at the clock. */
  rules_facts: { id: string, value: string, at: number, made_by: string }
}

export type Db = Kysely<Tables>

export function ruleOf (row: Tables['rules_rules']): Rule {
  const spec = JSON.parse(row.spec) as Omit<Draft, 'name'>
  return {
    ...spec,
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    author: JSON.parse(row.author) as Author,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    armedAt: row.armed_at,
    pausedReason: row.paused === null ? null : whyFrom(row.paused) ?? null,
    webhook: row.webhook,
    failures: row.failures
  }
}

export function rowOfRule (rule: Rule): Tables['rules_rules'] {
  const { printers, when, then, most_per_hour: most } = rule
  return {
    id: rule.id,
    name: rule.name,
    spec: JSON.stringify({ printers, when, if: rule.if, then, most_per_hour: most }),
    enabled: rule.enabled ? 1 : 0,
    author: JSON.stringify(rule.author),
    created_at: rule.createdAt,
    changed_at: rule.changedAt,
    armed_at: rule.armedAt,
    paused: rule.pausedReason === null ? null : storedWhy(rule.pausedReason),
    webhook: rule.webhook,
    failures: rule.failures
  }
}

export const runOf = (row: Tables['rules_runs']): Run => ({
  id: row.id,
  rule: row.rule,
  ruleName: row.rule_name,
  version: row.version,
  printer: row.printer ?? undefined,
  key: row.occurrence,
  at: row.at,
  beganAt: row.began_at,
  endedAt: row.ended_at ?? undefined,
  state: row.state as RunState,
  reason: whyFrom(row.reason),
  fields: JSON.parse(row.fields) as Record<string, Plain>,
  chain: JSON.parse(row.chain) as string[],
  owner: row.owner,
  leaseUntil: row.lease_until,
  step: row.step,
  stepState: row.step_state as Run['stepState'],
  waitUntil: row.wait_until ?? undefined,
  trail: JSON.parse(row.trail) as string[]
})

export const rowOfRun = (run: Run): Tables['rules_runs'] => ({
  id: run.id,
  rule: run.rule,
  rule_name: run.ruleName,
  version: run.version,
  printer: run.printer ?? null,
  occurrence: run.key,
  at: run.at,
  began_at: run.beganAt,
  ended_at: run.endedAt ?? null,
  state: run.state,
  reason: storedWhy(run.reason),
  fields: JSON.stringify(run.fields),
  chain: JSON.stringify(run.chain),
  owner: run.owner,
  lease_until: run.leaseUntil,
  step: run.step,
  step_state: run.stepState,
  wait_until: run.waitUntil ?? null,
  trail: JSON.stringify(run.trail)
})

export const stepOf = (row: Tables['rules_steps']): StepRecord => ({
  run: row.run,
  step: row.step,
  state: row.state as StepState,
  at: row.at,
  endedAt: row.ended_at ?? undefined,
  what: row.what,
  reason: whyFrom(row.reason),
  ...row.act !== null && { act: actOf(row.act) }
})

export const rowOfStep = (step: StepRecord): Tables['rules_steps'] => ({
  id: `${step.run}:${step.step}`,
  run: step.run,
  step: step.step,
  state: step.state,
  at: step.at,
  ended_at: step.endedAt ?? null,
  what: step.what,
  reason: storedWhy(step.reason),
  act: step.act === undefined ? null : JSON.stringify(step.act)
})

export const actOf = (stored: string): Act => {
  const { printer, ...act } = JSON.parse(stored) as Act
  return { ...act, printer }
}

export const heatOf = (row: Tables['rules_heat']): Heat => ({
  id: row.id,
  run: row.run,
  ruleName: row.rule_name,
  printer: row.printer,
  operation: row.operation,
  extruder: row.extruder ?? undefined,
  celsius: row.celsius,
  setAt: row.set_at,
  until: row.until,
  isTold: row.told === 1
})

export const rowOfHeat = (heat: Heat): Tables['rules_heat'] => ({
  id: heat.id,
  run: heat.run,
  rule_name: heat.ruleName,
  printer: heat.printer,
  operation: heat.operation,
  extruder: heat.extruder ?? null,
  celsius: heat.celsius,
  set_at: heat.setAt,
  until: heat.until,
  told: heat.isTold ? 1 : 0
})

import { BadAlertRule } from './errors.js'
import type { AnyAlertRule } from './types.js'

function problemOf ({ name, detect }: AnyAlertRule): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'it has no name'
  return typeof detect === 'function' ? undefined : 'detect must be a function; use defineAlert or defineAlertRule'
}

/** @throws PRN_ERR_ALERT_RULE naming the rule and its plugin */
export function checkRules (rules: readonly AnyAlertRule[], originOf: (rule: object) => string | undefined): void {
  for (const rule of rules) {
    const problem = problemOf(rule)
    if (problem !== undefined) throw new BadAlertRule(rule.name ?? '?', originOf(rule) ?? '?', problem)
  }
}

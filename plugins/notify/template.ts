// Placeholders in texts of the configuration: `{{printer}}`, `{{payload.layer_num}}`.

import type { Message } from './targets/types.js'

/** What placeholders are filled from. */
export type Values = Pick<Message, 'id' | 'title' | 'text' | 'printer' | 'alert' | 'severity' | 'at' | 'payload'>

const NAMES: ReadonlySet<string> = new Set(['id', 'title', 'text', 'printer', 'alert', 'severity', 'at', 'payload'])
const PLACEHOLDER = /\{\{\s*([\w.]{1,80})\s*\}\}/g
const ONLY_PLACEHOLDER = /^\{\{\s*([\w.]{1,80})\s*\}\}$/
const MOST_LEVELS = 16

function valueOf (values: Values, path: string): unknown {
  let value: unknown = values
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A text with its placeholders filled in; what is not there is empty. */
export const fill = (template: string, values: Values): string =>
  template.replaceAll(PLACEHOLDER, (_, path: string) => textOf(valueOf(values, path)))

/**
 * Fills in every text of a value. A text that is one placeholder becomes its value: a number stays a number. As the
 * value is written as JSON afterwards, nothing that a printer says can change its form.
 */
export function fillAll (template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [, path] = ONLY_PLACEHOLDER.exec(template) ?? []
    return path === undefined ? fill(template, values) : valueOf(values, path) ?? null
  }
  if (Array.isArray(template)) return template.map(part => fillAll(part, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillAll(part, values)]))
}

/** @returns what is wrong with the placeholders of a value; undefined when all can be filled in */
export function problemIn (template: unknown, levels = MOST_LEVELS): string | undefined {
  if (levels === 0) return 'it is nested too deeply'
  if (typeof template === 'string') {
    const unknown = [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => path.split('.')[0] ?? '')
      .find(name => !NAMES.has(name))
    return unknown === undefined ? undefined : `there is no {{${unknown}}}; there are ${[...NAMES].join(', ')}`
  }
  if (typeof template !== 'object' || template === null) return undefined
  for (const part of Object.values(template)) {
    const problem = problemIn(part, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

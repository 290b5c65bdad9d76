// Placeholders in configured texts: `{{printer}}`, `{{payload.layer_num}}`.

import type { Message } from './targets/types.js'

export type TemplateValues = Pick<Message, 'id' | 'title' | 'text' | 'printer' | 'alert' | 'severity' | 'at' | 'payload'>

const NAMES: ReadonlySet<string> = new Set(['id', 'title', 'text', 'printer', 'alert', 'severity', 'at', 'payload'])
const PLACEHOLDER = /\{\{\s*([\w.]{1,80})\s*\}\}/g
const ONLY_PLACEHOLDER = /^\{\{\s*([\w.]{1,80})\s*\}\}$/
const MOST_LEVELS = 16

function valueOf (values: TemplateValues, path: string): unknown {
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

/** Fills in placeholders; missing values become empty. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(PLACEHOLDER, (_, path: string) => textOf(valueOf(values, path)))

/**
 * Fills in every text of a value. A text that is a single placeholder becomes its value, so numbers stay numbers. The
 * result is serialized as JSON afterwards, so data from a printer cannot change its structure.
 */
export function fillTemplates (template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') {
    const [, path] = ONLY_PLACEHOLDER.exec(template) ?? []
    return path === undefined ? fillTemplate(template, values) : valueOf(values, path) ?? null
  }
  if (Array.isArray(template)) return template.map(part => fillTemplates(part, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillTemplates(part, values)]))
}

/** @returns what is wrong with the placeholders of a value, if anything */
export function templateProblem (template: unknown, levels = MOST_LEVELS): string | undefined {
  if (levels === 0) return 'it is nested too deeply'
  if (typeof template === 'string') {
    const unknown = [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => path.split('.')[0] ?? '')
      .find(name => !NAMES.has(name))
    return unknown === undefined ? undefined : `there is no {{${unknown}}}; there are ${[...NAMES].join(', ')}`
  }
  if (typeof template !== 'object' || template === null) return undefined
  for (const part of Object.values(template)) {
    const problem = templateProblem(part, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

import type { TSchema } from 'typebox'
import { validationError } from '../../../core/index.js'
import { sourceOf } from '../engine/inputs.js'
import { fieldType, inputsOf, type Words } from '../vocabulary/index.js'
import type { Step } from '../types.js'
import { why } from '../words/why.js'
import type { Fields } from './check-conditions.js'
import { mayCall, nearest, printerProblem, type CheckContext, type Report } from './check-context.js'

type CallStep = Extract<Step, { kind: 'call' }>

/** Operations that are offered where one is not known. */
const callable = (context: CheckContext): string[] =>
  [...context.words.operations.values()].filter(operation => mayCall(operation, context)).map(({ name }) => name)

export function checkCall (step: CallStep, path: string, fields: Fields, context: CheckContext, report: Report): void {
  const { words, kernel } = context
  const wanted = step.operation ?? ''
  const operation = words.operations.get(wanted)
  if (operation === undefined) {
    const near = nearest(wanted, callable(context))
    return report(`${path}.operation`, kernel.operations.has(wanted) ? 'may_not_call' : 'no_operation', { operation: wanted, near })
  }
  if (!mayCall(operation, context)) return report(`${path}.operation`, 'you_may_not', { operation: wanted })
  const { printer = 'event' } = step
  if (printer !== 'event') {
    const problem = operation.scope === 'daemon' ? why('concerns_none') : printerProblem(printer, context)
    if (problem !== undefined) report(`${path}.printer`, problem.code, problem.values)
  }
  if (operation.name === 'queue.pause' && step.input?.paused !== true) report(`${path}.input.paused`, 'resumes')
  checkInput(step.input ?? {}, inputsOf(operation), { path: `${path}.input`, fields, schema: operation.input as TSchema }, report)
  checkThings(step, path, words, report)
}

/** Something else could be meant by an id that nothing has. */
function checkThings ({ operation, input = {} }: CallStep, path: string, { named }: Words, report: Report): void {
  for (const [key, value] of Object.entries(input)) {
    const things = typeof value === 'string' ? named?.(operation, key) : undefined
    if (things?.isWhole !== true || things.all.some(({ id }) => id === value)) continue
    const known = new Map(things.all.map(({ id, name, printer }) => [name, `${name}${printer ? ` (${printer})` : ''}: ${id}`]))
    report(`${path}.input.${key}`, 'no_thing', { id: String(value), near: nearest(String(value), known.keys(), name => known.get(name) ?? name) })
  }
}

interface Place { readonly path: string, readonly fields: Fields, readonly schema: TSchema }

/** Each value by itself, and all together unless some are only known when it runs. */
function checkInput (input: Readonly<Record<string, unknown>>, known: ReturnType<typeof inputsOf>,
  { path, fields, schema }: Place, report: Report): void {
  let isWhole = true
  for (const [key, value] of Object.entries(input)) {
    const property = Object.hasOwn(known, key) ? known[key] : undefined
    if (property === undefined) {
      report(`${path}.${key}`, 'no_input', { name: key, has: Object.keys(known).join(', ') || why('none') })
      isWhole = false
      continue
    }
    const source = sourceOf(value)
    if (source !== undefined) {
      isWhole = false
      const field = fields.get(source)
      const { type } = fieldType(key, property)
      if (field === undefined) report(`${path}.${key}`, 'field_not_everywhere', { field: source })
      else if (field.type !== type) report(`${path}.${key}`, 'field_type', { field: source, type: field.type, wanted: type })
      continue
    }
    const problem = validationError(property as TSchema, structuredClone(value))
    if (problem === undefined) continue
    isWhole = false
    report(`${path}.${key}`, 'plain', { text: problem })
  }
  const { required = [] } = schema as { required?: readonly string[] }
  const missing = required.filter(key => !Object.hasOwn(input, key))
  for (const key of missing) report(`${path}.${key}`, 'missing')
  const problem = isWhole && missing.length === 0 ? validationError(schema, structuredClone(input)) : undefined
  if (problem !== undefined) report(path, 'plain', { text: problem })
}

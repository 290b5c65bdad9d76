import type { TSchema } from 'typebox'
import { validationError } from '../../../core/index.js'
import { sourceOf } from '../engine/inputs.js'
import { fieldType, inputsOf } from '../vocabulary/index.js'
import type { Step } from '../types.js'
import { why } from '../words/why.js'
import type { Fields } from './check-conditions.js'
import { mayCall, type CheckContext, type Report } from './check-context.js'

type CallStep = Extract<Step, { kind: 'call' }>

/** Whether a printer can be named in a rule. */
const isPrinter = (printer: string, { kernel, sees }: CheckContext): boolean =>
  kernel.printers.names.includes(printer) && sees(printer)

export function checkCall (step: CallStep, path: string, fields: Fields, context: CheckContext, report: Report): void {
  const { words, kernel } = context
  const operation = words.operations.get(step.operation ?? '')
  if (operation === undefined) {
    const isKnown = kernel.operations.has(step.operation ?? '')
    return report(`${path}.operation`, isKnown ? 'may_not_call' : 'no_operation', { operation: step.operation ?? '' })
  }
  if (!mayCall(operation, context)) report(`${path}.operation`, 'you_may_not', { operation: step.operation })
  const { printer = 'event' } = step
  if (printer !== 'event' && (operation.scope === 'daemon' || !isPrinter(printer, context))) {
    if (operation.scope === 'daemon') report(`${path}.printer`, 'concerns_none')
    else report(`${path}.printer`, 'no_such_printer', { printer })
  }
  if (operation.name === 'queue.pause' && step.input?.paused !== true) report(`${path}.input.paused`, 'resumes')
  checkInput(step.input ?? {}, inputsOf(operation), { path: `${path}.input`, fields, schema: operation.input as TSchema }, report)
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

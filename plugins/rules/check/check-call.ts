import type { TSchema } from 'typebox'
import { validationError } from '../../../core/index.js'
import { sourceOf } from '../engine/inputs.js'
import { fieldType, inputsOf } from '../vocabulary/index.js'
import type { Step } from '../types.js'
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
    return report(`${path}.operation`, isKnown
      ? `a rule may not call '${step.operation}'`
      : `there is no operation '${step.operation ?? ''}'`)
  }
  if (!mayCall(operation, context)) report(`${path}.operation`, `you may not use '${step.operation}'`)
  const { printer = 'event' } = step
  if (printer !== 'event' && (operation.scope === 'daemon' || !isPrinter(printer, context))) {
    report(`${path}.printer`, operation.scope === 'daemon' ? 'it concerns no printer' : `there is no printer '${printer}'`)
  }
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
      report(`${path}.${key}`, `the operation has no ${key}; it has ${Object.keys(known).join(', ') || 'none'}`)
      isWhole = false
      continue
    }
    const source = sourceOf(value)
    if (source !== undefined) {
      isWhole = false
      const field = fields.get(source)
      const { type } = fieldType(key, property)
      if (field === undefined) report(`${path}.${key}`, `not every beginning of the rule has ${source}`)
      else if (field.type !== type) report(`${path}.${key}`, `${source} is ${field.type}, and it must be ${type}`)
      continue
    }
    const problem = validationError(property as TSchema, structuredClone(value))
    if (problem === undefined) continue
    isWhole = false
    report(`${path}.${key}`, problem)
  }
  const { required = [] } = schema as { required?: readonly string[] }
  const missing = required.filter(key => !Object.hasOwn(input, key))
  for (const key of missing) report(`${path}.${key}`, 'it is missing')
  const problem = isWhole && missing.length === 0 ? validationError(schema, structuredClone(input)) : undefined
  if (problem !== undefined) report(path, problem)
}

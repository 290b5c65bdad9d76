import { BadInput, closestMatch } from '../../core/index.js'
import type { StateDocument } from './document/index.js'
import { PrinterDocument } from './document-schemas.js'

type Fields = Record<string, unknown>
interface Schema { readonly properties?: Readonly<Record<string, Schema>> }

/** Refuses a path with an unknown member, except in objects with free keys. */
function check (path: string): void {
  let here = PrinterDocument as unknown as Schema
  for (const step of path.split('.')) {
    const properties: Schema['properties'] = here.properties
    if (properties === undefined) return
    if (!Object.hasOwn(properties, step)) throw unknown(path, step, Object.keys(properties))
    here = properties[step] ?? {}
  }
}

function unknown (path: string, step: string, known: readonly string[]): Error {
  const close = closestMatch(step, known)
  const place = path === step ? '' : ` in '${path}'`
  return new BadInput(`fields: the state has no '${step}'${place}; ${close === undefined ? `it has ${known.join(', ')}` : `did you mean '${close}'?`}`)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Copies one member into `target`, with the objects around it. */
function copy (source: Fields, target: Fields, [step = '', ...rest]: readonly string[]): void {
  if (!Object.hasOwn(source, step)) return
  const value = source[step]
  if (rest.length === 0 || !isFields(value)) {
    target[step] = value
    return
  }
  const known = target[step]
  if (known === value) return // the whole object was requested too
  const inner = isFields(known) ? known : {}
  target[step] = inner
  copy(value, inner, rest)
}

/**
 * The requested parts of a state document, such as `_printer_state.gcode_state,_active_job_info`.
 * @throws PRN_ERR_BAD_INPUT naming an unknown member
 */
export function pickFields (document: StateDocument, fields: string): object {
  const paths = fields.split(',').map(path => path.trim()).filter(path => path !== '')
  for (const path of paths) check(path)
  const target: Fields = {}
  for (const path of paths.sort((a, b) => a.length - b.length)) copy(document, target, path.split('.'))
  return target
}

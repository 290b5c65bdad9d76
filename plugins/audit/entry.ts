import { randomBytes } from 'node:crypto'
import { isServiceError, rightsOf, type Events, type OperationDone } from '../../core/index.js'
import type { AuditRow } from './tables.js'

const MOST_CHARS = 300
/** Length of a time in ms, base 36: sufficient until the year 5188. */
const TIME_DIGITS = 9

const idAt = (at: number): string => `${at.toString(36).padStart(TIME_DIGITS, '0')}-${randomBytes(6).toString('hex')}`

export const isId = (text: string): boolean => /^[0-9a-z]{9}-[0-9a-f]{12}$/.test(text)

/** Lower bound of the ids from a time on. */
export const firstIdAt = (at: number): string => at.toString(36).padStart(TIME_DIGITS, '0')

const shortened = (text: string) => text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text

const outcomeOf = (error: unknown, via: string | undefined): Pick<AuditRow, 'outcome' | 'detail'> => ({
  outcome: isServiceError(error) ? error.code : 'failed',
  detail: `${via === undefined ? '' : `for ${via}: `}${shortened(error instanceof Error ? error.message : String(error))}`
})

/** @param at when it ended */
export function entryOf ({ operation, printer, surface = 'service', caller, via }: OperationDone, at: number, error?: unknown):
AuditRow {
  return {
    id: idAt(at),
    at,
    who: rightsOf(caller)?.name ?? caller as string | undefined ?? 'service',
    face: surface,
    act: operation,
    printer: printer ?? null,
    ...(error === undefined ? { outcome: 'done', detail: via === undefined ? null : `for ${via}` } : outcomeOf(error, via))
  }
}

export const loginEntry = ({ name, address, ok, way, detail }: Events['people:login'][0], at: number): AuditRow => ({
  id: idAt(at),
  at,
  who: name,
  face: way ?? 'page',
  act: 'login',
  printer: null,
  outcome: ok ? 'done' : 'refused',
  detail: shortened(`from ${address}${detail === undefined ? '' : `: ${detail}`}`)
})

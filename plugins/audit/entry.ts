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

const outcomeOf = (error: unknown): string => isServiceError(error) ? error.code : 'failed'

const wordsOf = (error: unknown): string => shortened(error instanceof Error ? error.message : String(error))

/** The service that forwarded it, what it was told, and why it failed. */
const detailOf = ({ via, note }: OperationDone, error: unknown): string | null => [
  ...via === undefined ? [] : [`for ${via}`],
  ...note === undefined ? [] : [shortened(note)],
  ...error === undefined ? [] : [wordsOf(error)]
].join(': ') || null

/** @param endedAt its time, unless its entry was written before it began */
export function entryOf (done: OperationDone, endedAt: number, error?: unknown): AuditRow {
  const { operation, printer, surface = 'service', caller, entry, calledAt } = done
  return {
    id: entry ?? idAt(endedAt),
    at: entry === undefined ? endedAt : calledAt,
    who: rightsOf(caller)?.name ?? caller as string | undefined ?? 'service',
    face: surface,
    act: operation,
    printer: printer ?? null,
    outcome: error === undefined ? 'done' : outcomeOf(error),
    detail: detailOf(done, error)
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

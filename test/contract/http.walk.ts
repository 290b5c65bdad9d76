import type { Fields, Model } from './fleet.js'
import { HTTP_CASES, type Case, type RouteCases } from './http.cases.data.js'
import { HTTP, N, type HttpRow } from './http.data.js'
import type { Way } from './invalid.js'
import { isTextual, waysOf } from './request.js'
import { exists } from './rows.js'

/** The rows of the parts that exist. */
export const ROWS = HTTP.filter(exists)

export const idOf = ({ method, path }: HttpRow): string => `${method} ${path}`

const NO_CASES: RouteCases = { good: [] }
export const casesOf = (row: HttpRow): RouteCases => HTTP_CASES[idOf(row)] ?? NO_CASES

export const takesPrinter = ({ faults }: HttpRow): boolean => faults.includes(N)

/** The parameters of a request for one printer. */
export const named = (row: HttpRow, params: Fields, printer: string): Fields =>
  takesPrinter(row) && !('printer' in params) ? { ...params, printer } : params

/** The ways in which these parameters can be passed. */
export const waysFor = (row: HttpRow, { params }: Pick<Case, 'params'>): readonly Way[] =>
  isTextual(params) || waysOf(row).includes('multipart') ? waysOf(row) : ['json']

export const wayOf = (row: HttpRow, trial: Pick<Case, 'params'>): Way => waysFor(row, trial)[0] ?? 'json'

export const wireOf = ({ wire = [] }: Case, model: Model) => typeof wire === 'function' ? wire(model) : wire

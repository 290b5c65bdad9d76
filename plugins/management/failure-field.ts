import type { ConnectionErrorCode } from '../../core/index.js'

/** The datum of a printer that a failure is about, by its name in the API. */
export type FailureField = 'name' | 'host' | 'serial' | 'access_code'

/** What is wrong with the data of a printer. */
export type FailureProblem = ConnectionErrorCode | 'silent' | 'unknown_host' | 'missing' | 'malformed' | 'name_taken' |
  'serial_taken' | 'code_needed'

const FIELDS: Readonly<Partial<Record<FailureProblem, FailureField>>> = {
  access_code_rejected: 'access_code',
  code_needed: 'access_code',
  name_taken: 'name',
  no_reports: 'serial',
  serial_taken: 'serial',
  wrong_serial: 'serial'
}

/** Members of an error's body that say where a form shows it. Most failures of a connection are about the address. */
export const failureField = (problem: FailureProblem, field: FailureField = FIELDS[problem] ?? 'host') =>
  ({ field, problem })

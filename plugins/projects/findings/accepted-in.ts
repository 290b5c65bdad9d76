import { Type } from 'typebox'
import { BadInput } from '../../../core/index.js'

const MOST = 40
const CODE = /^[a-z\d_]{1,40}$/

/** Parameter of routes: JSON has lists, forms and queries have texts. */
export const AcceptFindingsParam = Type.Optional(Type.Unknown({
  description: 'Codes of `findings` with `may_accept` to print in spite of, as a list or separated by commas',
  'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
}))

/**
 * The accepted findings as input of an operation; nothing if none were given.
 * @throws PRN_ERR_BAD_INPUT
 */
export function acceptedIn (given: unknown): { acceptFindings?: string[] } {
  if (given === undefined || given === null || given === '') return {}
  const codes: unknown = typeof given === 'string' ? given.split(',').map(code => code.trim()) : given
  const isList = Array.isArray(codes) && codes.length <= MOST
  if (!isList || !codes.every((code: unknown) => typeof code === 'string' && CODE.test(code))) {
    throw new BadInput('accept_findings must be codes of findings, such as md5_mismatch, as a list or separated by commas')
  }
  return codes.length === 0 ? {} : { acceptFindings: codes as string[] }
}

const MOST_WARNINGS = 100
const LONGEST_WARNING = 1_000

/** Parameter of routes: JSON has lists, forms and queries have texts. */
export const AcceptWarningsParam = Type.Optional(Type.Unknown({
  description: 'The `message`s of the only `warnings` with `needs_accept` to print in spite of, as a list or as its JSON ' +
    'text: anything else, also what has become true since they were read, refuses the print. accept_mismatch is not ' +
    'needed with it',
  'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
}))

function listIn (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The accepted warnings as input of an operation; an empty list accepts none.
 * @throws PRN_ERR_BAD_INPUT
 */
export function warningsIn (given: unknown): { acceptWarnings?: string[] } {
  if (given === undefined || given === null || given === '') return {}
  const messages = typeof given === 'string' ? listIn(given) : given
  const isList = Array.isArray(messages) && messages.length <= MOST_WARNINGS
  const isMessage = (one: unknown): boolean => typeof one === 'string' && one.length <= LONGEST_WARNING
  if (!isList || !messages.every(isMessage)) {
    throw new BadInput('accept_warnings must be messages of warnings, as a list or as its JSON text')
  }
  return { acceptWarnings: messages as string[] }
}

import type { TObject, TSchema } from 'typebox'
import { unknownName } from '../util/validate.js'
import type { AnyOperation, Effect, Operation, OperationSpec, Scope } from './types.js'

declare module 'prnd' {
  interface Contributions {
    /** Operations without a route or a tool, which other services of a fleet call. */
    operations: AnyOperation
  }
}

/** Consequences of an operation's effect, on every surface. */
export const policy = {
  read: { permission: false, marker: '', readOnlyHint: true, destructiveHint: false },
  local: { permission: false, marker: '', readOnlyHint: false, destructiveHint: false },
  write: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: false },
  destructive: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: true }
} as const satisfies Record<Effect, object>

/** Typed so that it must list all members. */
const MEMBERS = {
  name: true,
  summary: true,
  effect: true,
  scope: true,
  consequence: true,
  access: true,
  runsHere: true,
  record: true,
  note: true,
  concerns: true,
  atHub: true,
  spends: true,
  sendsOnly: true,
  preview: true,
  input: true,
  output: true,
  guards: true,
  errors: true,
  run: true
} satisfies Record<keyof OperationSpec<Scope, TObject, TSchema>, true>

/** A misspelt member of an operation. A misspelt `access` would leave it open to the whole network. */
export const misspeltIn = (operation: object): string | undefined =>
  unknownName('member', Object.keys(operation), Object.keys(MEMBERS))

/**
 * Defines an operation of the service, independently of how it is called.
 * @throws TypeError for an unknown member, and for a missing consequence where one is required
 */
export function operation<I extends TObject, O extends TSchema, S extends Scope = 'printer'> (
  spec: OperationSpec<S, I, O>): Operation<S, I, O> {
  const { name, effect, consequence } = spec
  const problem = misspeltIn(spec)
  if (problem !== undefined) throw new TypeError(`Operation '${name}': ${problem}`)
  if (!Object.hasOwn(policy, effect)) {
    throw new TypeError(`Operation '${name}' has an unknown effect; known are: ${Object.keys(policy).join(', ')}`)
  }
  if (policy[effect].permission && !consequence?.trim()) {
    throw new TypeError(`Operation '${name}' changes a printer and must state its consequence`)
  }
  return Object.freeze({ ...spec, scope: (spec.scope ?? 'printer') as S })
}

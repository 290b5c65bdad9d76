import type { TObject, TSchema } from 'typebox'
import { unknownName } from '../util/validate.js'
import type { AnyOperation, Effect, Operation, OperationSpec, Scope } from './types.js'

declare module 'prnd' {
  interface Contributions {
    /** Operations that neither a route nor a tool offers: other services of a fleet ask for them. */
    operations: AnyOperation
  }
}

/** What follows from an operation's effect on every surface. */
export const policy = {
  read: { permission: false, marker: '', readOnlyHint: true, destructiveHint: false },
  local: { permission: false, marker: '', readOnlyHint: false, destructiveHint: false },
  write: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: false },
  destructive: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: true }
} as const satisfies Record<Effect, object>

/** The compiler keeps it complete. */
const MEMBERS = {
  name: true,
  summary: true,
  effect: true,
  scope: true,
  consequence: true,
  access: true,
  runsHere: true,
  record: true,
  concerns: true,
  atHub: true,
  input: true,
  output: true,
  guards: true,
  errors: true,
  run: true
} satisfies Record<keyof OperationSpec<Scope, TObject, TSchema>, true>

/** What is misspelt in an operation. A misspelt `access` would leave it open to the whole network. */
export const misspeltIn = (operation: object): string | undefined =>
  unknownName('member', Object.keys(operation), Object.keys(MEMBERS))

/**
 * Defines one thing the service can do, apart from any way of asking for it.
 * @throws TypeError for a member that operations do not have, and without a consequence where one is needed
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

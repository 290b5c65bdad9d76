import type { TObject, TSchema } from 'typebox'
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

/** Defines one thing the service can do, apart from any way of asking for it. */
export function operation<I extends TObject, O extends TSchema, S extends Scope = 'printer'> (
  spec: OperationSpec<S, I, O>): Operation<S, I, O> {
  const { name, effect, consequence } = spec
  if (!Object.hasOwn(policy, effect)) {
    throw new TypeError(`Operation '${name}' has an unknown effect; known are: ${Object.keys(policy).join(', ')}`)
  }
  if (policy[effect].permission && !consequence?.trim()) {
    throw new TypeError(`Operation '${name}' changes a printer and must state its consequence`)
  }
  return Object.freeze({ ...spec, scope: (spec.scope ?? 'printer') as S })
}

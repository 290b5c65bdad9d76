import { Type, type Static } from 'typebox'
import type { Command } from '../printer/mqtt/command.js'

const Open = Type.Object({}, { additionalProperties: true })

/** What a call would do. If it would be refused, the refusal is thrown in its place. */
export const Rehearsal = Type.Object({
  dry_run: Type.Literal(true),
  operation: Type.String(),
  printer: Type.Union([Type.String(), Type.Null()]),
  consequence: Type.String({ description: 'What the call would bring about; empty without an effect on printers' }),
  checked: Type.Array(Type.String(), { description: 'What was found to allow it' }),
  unchecked: Type.Array(Type.String(), { description: 'What only the call itself finds out' }),
  sends: Type.Union([Type.Array(Open), Type.Null()], { description: 'Commands to the printer; null: not known beforehand' }),
  cost: Type.Union([Open, Type.Null()], { description: 'What it would take from the budget of the caller' }),
  found: Type.Union([Open, Type.Null()], { description: 'What was read for it, such as spools and findings of a plate' })
}, { 'x-name': 'Rehearsal' })
export type Rehearsal = Static<typeof Rehearsal>

/** What a call would send and what it has read for that. */
export interface Preview {
  /** In words, what was found to allow the call. */
  readonly checked?: readonly string[]
  readonly sends?: readonly Command[]
  readonly found?: object
}

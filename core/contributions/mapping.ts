import type { Static, TObject } from 'typebox'
import type { AnyOperation, InputOf } from '../kernel/types.js'

/** Either parameters with their translation into the operation's input, or neither: then they are the input. */
export type Mapping<Op extends AnyOperation, P extends TObject> =
  | { params: P, input: (params: Static<P>) => InputOf<Op> }
  | { params?: never, input?: never }

import type { Static, TObject } from 'typebox'
import type { AnyOperation, InputOf } from '../kernel/types.js'

/** Either parameters with their conversion to the operation's input, or neither: then the input is the parameters. */
export type Mapping<Op extends AnyOperation, P extends TObject> =
  | { params: P, input: (params: Static<P>) => InputOf<Op> }
  | { params?: never, input?: never }

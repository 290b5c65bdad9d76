export type RefusalKind = 'bad' | 'large' | 'fit'

/** A refusal as it crosses the border of the thread; the words are the arguments of the error of its kind. */
export interface RefusalMessage {
  readonly kind: RefusalKind
  readonly words: readonly string[]
}

/** The thread refuses a model. It becomes an error of the catalogue in the main thread, whose classes are large. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly words: readonly string[]

  constructor (kind: RefusalKind, ...words: string[]) {
    super(words.join(': '))
    this.kind = kind
    this.words = words
  }
}

/** The caller gave up. */
export class Aborted extends Error {}

/** Reads the flag that the main thread sets when the caller gives up. */
export type CheckAborted = () => void

export const checkerOf = (flag: Int32Array): CheckAborted => () => {
  if (Atomics.load(flag, 0) !== 0) throw new Aborted('aborted')
}

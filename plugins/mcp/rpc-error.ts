/** Source: JSON-RPC 2.0, "Error object". */
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/** A JSON-RPC error: the libraries of both revisions send its code and data. */
export class RpcError extends Error {
  constructor (readonly code: number, message: string, readonly data?: object) {
    super(message)
  }
}

/** Thrown through a tool or prompt by the exchange with the client; not a failure of the plugin. */
export class Interruption extends Error {}

/** The question goes to the client now; its answer comes with the next call. */
export class Unanswered extends Interruption {
  constructor () { super('the client is asked first, and calls again with its answer') }
}

/** The client did not declare the capability. */
export class MissingCapability extends Interruption {
  constructor (readonly capability: string) { super(`the client cannot be asked: it does not declare '${capability}'`) }
}

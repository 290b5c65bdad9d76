/** Source: JSON-RPC 2.0, "Error object". */
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/** A failure in the form of the protocol: libraries of either revision send its code and data. */
export class RpcError extends Error {
  constructor (readonly code: number, message: string, readonly data?: object) {
    super(message)
  }
}

/** What is between service and client alone, thrown through a tool or prompt whose fault it is not. */
export class Interruption extends Error {}

/** The client has been asked nothing yet: its answer comes with the next call. */
export class Unanswered extends Interruption {
  constructor () { super('the client is asked first, and calls again with its answer') }
}

/** The client did not say that it can be asked so. */
export class MissingCapability extends Interruption {
  constructor (readonly capability: string) { super(`the client cannot be asked: it does not declare '${capability}'`) }
}

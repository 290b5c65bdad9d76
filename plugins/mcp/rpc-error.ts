/** Source: JSON-RPC 2.0, "Error object". */
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

/** A failure in the form of the protocol: libraries of either revision send its code and data. */
export class RpcError extends Error {
  constructor (readonly code: number, message: string, readonly data?: object) {
    super(message)
  }
}

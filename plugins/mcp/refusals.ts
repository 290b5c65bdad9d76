/** An answer of which the protocol's library knows nothing. */
export interface Refusal { readonly status: number, readonly body: object }

export const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

export const refuse = (status: number, code: number, message: string): Refusal =>
  ({ status, body: rpcError(code, message) })

/**
 * @param of whose share is used up
 * @param what there is too much of, in the plural
 */
export const refuseMore = (of: 'address' | 'all', what: string): Refusal => of === 'address'
  ? refuse(429, -32_000, `Too many ${what} of this address are at work; end some of them`)
  : refuse(503, -32_000, `Too many ${what} are at work; try again later`)

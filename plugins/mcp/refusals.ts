/** A response sent without the protocol's library. */
export interface Refusal { readonly status: number, readonly body: object }

export const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

export const refuse = (status: number, code: number, message: string): Refusal =>
  ({ status, body: rpcError(code, message) })

/**
 * @param of whose limit is reached
 * @param what plural noun for the message, such as `sessions`
 */
export const refuseMore = (of: 'address' | 'all', what: string): Refusal => of === 'address'
  ? refuse(429, -32_000, `Too many ${what} of this address are in use; end some of them`)
  : refuse(503, -32_000, `Too many ${what} are in use; try again later`)

/** Requests of the service to the process of the decoder package. Pictures are H.264 as in a stream (annex B). */
export type PackageRequest =
  | { readonly kind: 'still', readonly id: number, readonly codec: string, readonly units: readonly Uint8Array[] }
  | { readonly kind: 'open', readonly id: number, readonly maxFps: number }
  | { readonly kind: 'unit', readonly id: number, readonly codec: string, readonly key: boolean, readonly data: Uint8Array }
  | { readonly kind: 'encode', readonly id: number, readonly fps: number, readonly file: string }
  | { readonly kind: 'picture', readonly id: number, readonly jpeg: Uint8Array }
  /** All pictures to encode were sent; or a stream is no longer needed. */
  | { readonly kind: 'end', readonly id: number }
  | { readonly kind: 'abort', readonly id: number }

/** Replies of the process, each with the id of its request. */
export type PackageReply =
  | { readonly kind: 'jpeg', readonly id: number, readonly jpeg: Uint8Array }
  /** A picture of a stream or an encoding was accepted: the next one can be sent. */
  | { readonly kind: 'taken', readonly id: number }
  | { readonly kind: 'done', readonly id: number }
  | { readonly kind: 'failed', readonly id: number, readonly message: string }

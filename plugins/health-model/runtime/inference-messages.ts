import type { Model, Reading } from '../types.js'

/** Request to the process that runs networks. */
export interface InferenceRequest {
  readonly id: number
  /** The file of the network. */
  readonly file: string
  readonly model: Model
  /** Any picture that a camera makes. */
  readonly picture: Uint8Array
}

/** Request for the inputs and outputs of a network. */
export interface InspectRequest { readonly id: number, readonly file: string }

export interface Shape { readonly name: string, readonly dims: readonly (number | string)[] }
export interface Inspection { readonly inputs: readonly Shape[], readonly outputs: readonly Shape[] }
export interface Timed extends Reading {
  /** ms for the network alone. */
  readonly ms: number
  readonly runtime: string
}

export type InferenceReply =
  | { readonly id: number, readonly inspection: Inspection }
  | { readonly id: number, readonly reading: Timed }
  | { readonly id: number, readonly error: string }

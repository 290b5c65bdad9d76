import type { Size } from '../fit-picture.js'
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

/** Request for the inputs and outputs of a network, which is tried with a black picture. */
export interface InspectRequest {
  readonly id: number
  readonly file: string
  /** For an input that leaves its size open. */
  readonly size?: Size
}

export interface Shape {
  readonly name: string
  readonly dims: readonly (number | string)[]
  /** Such as `float32`; where the runtime says it. */
  readonly type?: string
}
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

import type { Model, Reading } from '../types.js'

/** What is asked of the process that computes networks. */
export interface InferenceRequest {
  readonly id: number
  /** The file of the network. */
  readonly file: string
  readonly model: Model
  /** Any picture that a camera makes. */
  readonly picture: Uint8Array
}

/** A file is opened, to see what it takes and gives. */
export interface InspectRequest { readonly id: number, readonly file: string }

export interface Shape { readonly name: string, readonly dims: readonly (number | string)[] }
export interface Inspection { readonly inputs: readonly Shape[], readonly outputs: readonly Shape[] }
export interface Timed extends Reading {
  /** ms of the network alone. */
  readonly ms: number
  readonly runtime: string
}

export type InferenceReply =
  | { readonly id: number, readonly inspection: Inspection }
  | { readonly id: number, readonly reading: Timed }
  | { readonly id: number, readonly error: string }

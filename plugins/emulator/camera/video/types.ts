/** What a decoder needs before the first picture. */
export interface ParameterSets { readonly sps: Buffer, readonly pps: Buffer }

/** One coded picture: its NAL units without start codes or lengths. */
export interface Picture {
  readonly units: readonly Buffer[]
  /** Can be decoded without an earlier one. */
  readonly isKey: boolean
}

/** A picture of a stream. */
export interface StreamPicture extends Picture {
  /** When it is due, ms of a clock that never jumps. */
  readonly at: number
  readonly sets: ParameterSets
}

/** Turns drawings into H.264, each into a picture that can be decoded alone. */
export interface Encoder {
  readonly width: number
  readonly height: number
  /** One drawing as rows of red, green and blue bytes. */
  encode (raw: Uint8Array): void
  /** Resolves when nothing of it runs any more. */
  close (): Promise<void>
}

/** What an encoder gives. */
export interface EncoderEvents {
  /** Once, before the first picture. */
  parameters (sets: ParameterSets): void
  picture (picture: Picture): void
  /** It ended by itself. */
  failed (): void
}

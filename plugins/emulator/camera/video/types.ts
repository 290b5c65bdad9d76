/** Parameter sets, which a decoder needs before the first picture. */
export interface ParameterSets { readonly sps: Buffer, readonly pps: Buffer }

/** One coded picture: its NAL units without start codes or lengths. */
export interface Picture {
  readonly units: readonly Buffer[]
  /** Key picture: can be decoded without an earlier one. */
  readonly isKey: boolean
}

/** A picture of a stream. */
export interface StreamPicture extends Picture {
  /** When it is due; monotonic clock, ms. */
  readonly at: number
  readonly sets: ParameterSets
}

/** Encodes each drawing to an H.264 key picture. */
export interface Encoder {
  readonly width: number
  readonly height: number
  /** One drawing as rows of red, green and blue bytes. */
  encode (raw: Uint8Array): void
  /** Resolves when the encoder has ended. */
  close (): Promise<void>
}

/** Events of an encoder. */
export interface EncoderEvents {
  /** Once, before the first picture. */
  parameters (sets: ParameterSets): void
  picture (picture: Picture): void
  /** It ended by itself. */
  failed (): void
}

/** What a decoder needs before the first picture. */
export interface ParameterSets { readonly sps: Buffer, readonly pps: Buffer }

/** One coded picture: its NAL units without start codes or lengths. */
export interface Picture {
  readonly units: readonly Buffer[]
  /** Can be decoded without an earlier one. */
  readonly isKey: boolean
}

/** Turns pictures into H.264. */
export interface Encoder {
  readonly width: number
  readonly height: number
  /** Pictures a second that it wants. */
  readonly fps: number
  /** One picture as rows of red, green and blue bytes. */
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

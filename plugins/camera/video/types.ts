/** Ticks of {@link AccessUnit.time} a second, as RTP and MP4 count video. */
export const CLOCK_HZ = 90_000

/** What a decoder or a player must know before the first picture. */
export interface VideoFormat {
  /** As shown, after cropping, px. */
  readonly width: number
  readonly height: number
  /** As in a MIME type (RFC 6381): `avc1.64001f`. */
  readonly codec: string
  /** NAL units without start codes. */
  readonly sps: Buffer
  readonly pps: readonly Buffer[]
}

/** One picture as the camera coded it (H.264). The bytes are shared by all who look and never written to. */
export interface AccessUnit {
  /** Counts the pictures of one camera. */
  readonly seq: number
  /** It can be decoded alone (IDR). */
  readonly key: boolean
  /** Its NAL units without start codes; no parameter sets, no delimiters. */
  readonly nalus: readonly Buffer[]
  /** Another object as soon as the parameter sets change, which only happens at a key picture. */
  readonly format: VideoFormat
  /** 1/90,000 s, always more than the one before of the same camera. */
  readonly time: number
  /** When it arrived, ms since the epoch. */
  readonly at: number
}

/** The coded video of one camera, for as long as somebody wants it. */
export interface VideoSource {
  /**
   * Wants every picture from now on. What came since the last key picture is given first, within the call.
   * @returns the end of it; the connection then stays for `lingerMs` more
   */
  attach (onUnit: (unit: AccessUnit) => void): (lingerMs?: number) => void
}

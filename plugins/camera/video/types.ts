/** Ticks per second of {@link AccessUnit.time}, the clock rate of video in RTP and MP4. */
export const CLOCK_HZ = 90_000

/** What a decoder or a player needs before the first picture. */
export interface VideoFormat {
  /** As displayed, after cropping, px. */
  readonly width: number
  readonly height: number
  /** As in a MIME type (RFC 6381): `avc1.64001f`. */
  readonly codec: string
  /** NAL units without start codes. */
  readonly sps: Buffer
  readonly pps: readonly Buffer[]
}

/** One encoded picture (H.264). Its bytes are shared by all consumers and must not be modified. */
export interface AccessUnit {
  /** Consecutive number among the pictures of the camera. */
  readonly seq: number
  /** Decodable on its own (IDR). */
  readonly key: boolean
  /** Its NAL units without start codes, parameter sets and delimiters. */
  readonly nalus: readonly Buffer[]
  /** A new object whenever the parameter sets change, which happens at a key picture only. */
  readonly format: VideoFormat
  /** 1/90,000 s, always more than the one before of the same camera. */
  readonly time: number
  /** When it arrived, ms since the epoch. */
  readonly at: number
}

/** The encoded video of one camera, while it has consumers. */
export interface VideoSource {
  /**
   * Asks for every picture from now on. Those since the last key picture are delivered first, within the call.
   * @returns releases it; the connection then stays open for `lingerMs` more
   */
  attach (onUnit: (unit: AccessUnit) => void): (lingerMs?: number) => void
}

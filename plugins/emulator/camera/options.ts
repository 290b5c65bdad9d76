import type { Traits } from '../models/traits.js'

/** What becomes of a client that comes while another one watches. */
export type SecondClient = 'refuse' | 'replace' | 'serve'

export interface CameraOptions {
  /** Pixels, even. @default 1280 */
  readonly width?: number
  /** Pixels, even. @default 720 */
  readonly height?: number
  /** Pictures a second, of real time whatever the printer's clock does. @default 1 as JPEG, 5 as video */
  readonly fps?: number
  /** Of the JPEG pictures, 1 to 100. @default 75 */
  readonly quality?: number
  /** @default `refuse` for JPEG, `serve` for video */
  readonly secondClient?: SecondClient
  /**
   * Program that encodes video. Without one that works, or with false, a plain encoder of our own sends
   * smaller and fewer pictures.
   *
   * @default `ffmpeg` on the path
   */
  readonly ffmpeg?: string | false
}

export interface CameraSettings extends Required<CameraOptions> {
  readonly protocol: 'jpeg' | 'rtsps'
}

const SIZE = { least: 64, most: 3840 }
const MOST_FPS = 30

/** A1 and P1 send pictures, all others video. */
export const protocolOf = ({ series }: Traits): CameraSettings['protocol'] =>
  series === 'A1' || series === 'P1' ? 'jpeg' : 'rtsps'

const isSize = (pixels: number): boolean =>
  Number.isInteger(pixels) && pixels % 2 === 0 && pixels >= SIZE.least && pixels <= SIZE.most

/**
 * Fills in what was left out.
 *
 * @throws RangeError for a size, rate or quality that cannot be
 */
export function resolveCamera (traits: Traits, options: CameraOptions = {}): CameraSettings {
  const protocol = protocolOf(traits)
  const isVideo = protocol === 'rtsps'
  const settings: CameraSettings = {
    protocol,
    width: 1280,
    height: 720,
    fps: isVideo ? 5 : 1,
    quality: 75,
    secondClient: isVideo ? 'serve' : 'refuse',
    ffmpeg: 'ffmpeg',
    ...options
  }
  const { width, height, fps, quality } = settings
  if (!isSize(width) || !isSize(height)) throw new RangeError(`No camera has ${width} by ${height} pixels`)
  if (!(fps > 0 && fps <= MOST_FPS)) throw new RangeError(`fps must be above 0 and at most ${MOST_FPS}, not ${fps}`)
  if (!(quality >= 1 && quality <= 100)) throw new RangeError(`quality must be 1 to 100, not ${quality}`)
  return settings
}

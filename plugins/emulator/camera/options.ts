import { SIGNS_OF_LIFE, type SignOfLife } from '../../printer-servers/index.js'
import type { Traits } from '../models/traits.js'

/** How a second client is treated. */
export type SecondClient = 'refuse' | 'replace' | 'serve'

/** Behaviour of a camera with video. */
export interface VideoOptions {
  /** Interval between key pictures, s. @default 1 */
  readonly keySeconds?: number
  /**
   * Interval between two drawings of the scene, s. Drawing is what costs; in between only a counter moves, and key
   * pictures repeat the last drawing.
   *
   * @default 3
   */
  readonly drawSeconds?: number
  /** Where the parameter sets are: in the description, before every key picture, or both. @default both */
  readonly parameterSets?: 'sdp' | 'in-band' | 'both'
  /** What a new client gets first: the last key picture and all since, or simply the next picture. @default key */
  readonly begins?: 'key' | 'midway'
  /** Frozen: all pictures have the same timestamp. @default moving; frozen on the P2S with firmware 01.02.00.00 */
  readonly timestamps?: 'moving' | 'frozen'
  /** @default digest */
  readonly auth?: 'digest' | 'basic'
  /** False: after TEARDOWN the stream ends without an answer and the connection stays. @default true */
  readonly answersTeardown?: boolean
  /** What keeps a session alive; a GET_PARAMETER that is not among them is refused. @default all */
  readonly aliveBy?: readonly SignOfLife[]
  /** A session without a sign of life ends after this, s. @default 65 */
  readonly sessionSeconds?: number
}

export interface CameraOptions extends VideoOptions {
  /** Pixels, even. @default 1168 on the X1, 1920 on other models with video, 1280 as JPEG */
  readonly width?: number
  /** Pixels, even. @default 1080 where the width is 1920, else 720 */
  readonly height?: number
  /**
   * Pictures per second of real time, independent of the printer's clock.
   *
   * @default 1 as JPEG, 15 as video of the P2S, 30 as video of other models
   */
  readonly fps?: number
  /** Of the JPEG pictures, 1 to 100. @default 75 */
  readonly quality?: number
  /** @default `refuse` for JPEG, `serve` for video */
  readonly secondClient?: SecondClient
  /**
   * Program that encodes video. With false or without a working one, a built-in encoder sends smaller pictures.
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
const MOST_KEY_SECONDS = 60
const MOST_DRAW_SECONDS = 60
const MOST_SESSION_SECONDS = 3600
/** Of the P2S: gives all pictures the same timestamp. */
const FROZEN_FIRMWARE = '01.02.00.00'

/** A1 and P1 send pictures, all others video. */
export const protocolOf = ({ series }: Traits): CameraSettings['protocol'] =>
  series === 'A1' || series === 'P1' ? 'jpeg' : 'rtsps'

const isSize = (pixels: number): boolean =>
  Number.isInteger(pixels) && pixels % 2 === 0 && pixels >= SIZE.least && pixels <= SIZE.most

function checkRange (name: string, value: number, most: number): void {
  if (!(value > 0 && value <= most)) throw new RangeError(`${name} must be above 0 and at most ${most}, not ${value}`)
}

/** @throws RangeError for an invalid size, rate, time or quality */
function check (settings: CameraSettings): CameraSettings {
  const { width, height, fps, quality, keySeconds, drawSeconds, sessionSeconds } = settings
  if (!isSize(width) || !isSize(height)) throw new RangeError(`No camera has ${width} by ${height} pixels`)
  if (!(quality >= 1 && quality <= 100)) throw new RangeError(`quality must be 1 to 100, not ${quality}`)
  checkRange('fps', fps, MOST_FPS)
  checkRange('keySeconds', keySeconds, MOST_KEY_SECONDS)
  checkRange('drawSeconds', drawSeconds, MOST_DRAW_SECONDS)
  checkRange('sessionSeconds', sessionSeconds, MOST_SESSION_SECONDS)
  return settings
}

/** Picture size by family. */
const sizeOf = (traits: Traits): { readonly width: number, readonly height: number } => {
  if (protocolOf(traits) === 'jpeg') return { width: 1280, height: 720 }
  return traits.series === 'X1' ? { width: 1168, height: 720 } : { width: 1920, height: 1080 }
}

const fpsOf = (traits: Traits): number => {
  if (protocolOf(traits) === 'jpeg') return 1
  return traits.series === 'P2' ? 15 : 30
}

/**
 * Fills in the defaults.
 *
 * @param firmware version of the `ota` module
 * @throws RangeError for an invalid size, rate, time or quality
 */
export function resolveCamera (
  traits: Traits, options: CameraOptions = {}, firmware = traits.firmware
): CameraSettings {
  const protocol = protocolOf(traits)
  return check({
    protocol,
    ...sizeOf(traits),
    fps: fpsOf(traits),
    quality: 75,
    secondClient: protocol === 'rtsps' ? 'serve' : 'refuse',
    ffmpeg: 'ffmpeg',
    keySeconds: 1,
    drawSeconds: 3,
    parameterSets: 'both',
    begins: 'key',
    timestamps: traits.series === 'P2' && firmware === FROZEN_FIRMWARE ? 'frozen' : 'moving',
    auth: 'digest',
    answersTeardown: true,
    aliveBy: SIGNS_OF_LIFE,
    sessionSeconds: 65,
    ...options
  })
}

/** One picture of a camera as it came; the bytes are shared by all who look and never written to. */
export interface Frame {
  /** Counts the pictures of one camera. */
  readonly seq: number
  /** A whole JPEG. */
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
  /** When it arrived, ms since the epoch. */
  readonly capturedAt: number
}

export const SIZES = {
  '1080p': [1920, 1080],
  '720p': [1280, 720],
  '480p': [854, 480],
  '360p': [640, 360],
  '180p': [320, 180]
} as const

export type Resolution = 'native' | keyof typeof SIZES
export const RESOLUTIONS: readonly Resolution[] = ['native', ...Object.keys(SIZES) as (keyof typeof SIZES)[]]
/** Without regard to case; undefined for what is none. */
export const resolutionOf = (text: string): Resolution | undefined =>
  RESOLUTIONS.find(known => known === text.trim().toLowerCase())

export const DEFAULT_QUALITY = 85

/** How a viewer wants its pictures. */
export interface Look { readonly resolution: Resolution, readonly quality: number }

/** The bytes of the camera itself. */
export const NATIVE: Look = { resolution: 'native', quality: DEFAULT_QUALITY }
export const isNative = ({ resolution, quality }: Look): boolean =>
  resolution === NATIVE.resolution && quality === NATIVE.quality

/** Plain ASCII digits, at most six, 1 to 100; undefined for anything else. */
export function readQuality (given: unknown): number | undefined {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !/^[0-9]{1,6}$/.test(text)) return undefined
  const quality = Number(text)
  return quality >= 1 && quality <= 100 ? quality : undefined
}

/** The part of an address that asks for a look; empty for the camera's own pictures. */
export const queryOf = (look: Look): string =>
  isNative(look) ? '' : `?resolution=${look.resolution}&quality=${look.quality}`

/** One picture as the camera sent it. Its bytes are shared by all consumers and must not be modified. */
export interface Frame {
  /** Consecutive number among the pictures of the camera. */
  readonly seq: number
  /** A complete JPEG. */
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
/** Case-insensitive; undefined for an unknown name. */
export const resolutionOf = (text: string): Resolution | undefined =>
  RESOLUTIONS.find(known => known === text.toLowerCase())

export const DEFAULT_QUALITY = 85

/** Resolution and quality that a viewer asked for. */
export interface Rendition { readonly resolution: Resolution, readonly quality: number }

/** The camera's own bytes, not re-encoded. */
export const NATIVE: Rendition = { resolution: 'native', quality: DEFAULT_QUALITY }
export const isNative = ({ resolution, quality }: Rendition): boolean =>
  resolution === NATIVE.resolution && quality === NATIVE.quality

/** Plain ASCII digits, at most six, 1 to 100; undefined for anything else. */
export function readQuality (given: unknown): number | undefined {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !/^[0-9]{1,6}$/.test(text)) return undefined
  const quality = Number(text)
  return quality >= 1 && quality <= 100 ? quality : undefined
}

/** Query string for a rendition; empty for the camera's own pictures. */
export const queryOf = (rendition: Rendition): string =>
  isNative(rendition) ? '' : `?resolution=${rendition.resolution}&quality=${rendition.quality}`

const MARKER = 0xFF
const START = 0xD8
const END = 0xD9
const SCAN = 0xDA
/** Start-of-frame markers of all codings; C4, C8 and CC in between have other meanings. */
const isFrameHeader = (code: number) => code >= 0xC0 && code <= 0xCF && code !== 0xC4 && code !== 0xC8 && code !== 0xCC

interface Size { readonly width: number, readonly height: number }

/**
 * The size in a JPEG's header; only its segments up to the image data are read.
 * @returns undefined for anything but a complete JPEG
 */
export function jpegSize (bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes[0] !== MARKER || bytes[1] !== START) return undefined
  if (bytes[bytes.length - 2] !== MARKER || bytes[bytes.length - 1] !== END) return undefined
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== MARKER) return undefined
    const code = bytes[at + 1] ?? 0
    if (code === MARKER) { at++; continue } // fill byte before a marker
    if (code === SCAN) return undefined
    if (isFrameHeader(code)) return sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

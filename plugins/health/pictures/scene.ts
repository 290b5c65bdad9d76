import type { Analysis } from '../analysis/index.js'
import type { Picture } from '../analysis/pixels.js'
import type { DetectedBox, Factors, JobContext, Profile, Quality, Status } from '../types.js'

/** All that pictures are made of. Plain data besides the pixels. */
export interface PictureContent {
  readonly profile: Profile
  readonly quality: Quality
  readonly context: JobContext
  readonly analysis: Omit<Analysis, 'memory'>
  readonly status: Status
  /** What models saw. */
  readonly boxes: readonly DetectedBox[]
  /** Null where it is not known. */
  readonly success: number | null
  readonly confidence: number | null
  readonly factors: Factors | null
  /** s; null without a reference. */
  readonly referenceAgeS: number | null
}

/** A view with its pixels at the size they are shown. */
export interface Scene {
  readonly view: PictureContent
  readonly picture: Picture
  readonly reference?: Picture
  /** As the camera took it. */
  readonly full: Picture
}

const BOXES: Readonly<Record<Quality, readonly [number, number]>> =
  { preview: [320, 180], standard: [640, 360], full: [Infinity, Infinity] }

export function sizeFor (quality: Quality, { width, height }: Picture) {
  const [wide, high] = BOXES[quality]
  const scale = Math.min(1, wide / width, high / height)
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

export const ageText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}m${String(Math.floor(seconds % 60)).padStart(2, '0')}s`

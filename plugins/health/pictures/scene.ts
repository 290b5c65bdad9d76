import type { Analysis } from '../analysis/index.js'
import type { Picture } from '../analysis/picture.js'
import type { DetectedBox, Factors, JobContext, Profile, Quality, Status } from '../types.js'

/** The data that pictures show, without pixels. */
export interface PictureContent {
  readonly profile: Profile
  readonly quality: Quality
  readonly context: JobContext
  readonly analysis: Omit<Analysis, 'memory'>
  readonly status: Status
  /** Detections of models. */
  readonly boxes: readonly DetectedBox[]
  /** Null when unknown. */
  readonly success: number | null
  readonly confidence: number | null
  readonly factors: Factors | null
  /** Seconds; null without a reference. */
  readonly referenceAgeS: number | null
}

/** The content with its pixels, scaled to the size shown. */
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

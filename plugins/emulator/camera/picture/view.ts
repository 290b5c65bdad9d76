import type { Traits } from '../../models/traits.js'
import { ENCLOSED_BACKDROP, HIGH_BACKDROP, OPEN_BACKDROP } from './backdrop.js'
import type { Point } from './canvas.js'

/** The view of a camera. Positions are fractions of the picture. */
export interface CameraView {
  /** Corners of the plate at the top of its travel. */
  readonly plate: { readonly back: Point, readonly right: Point, readonly front: Point, readonly left: Point }
  /** Height of one millimetre at the far and at the near corner of the plate. */
  readonly mm: { readonly far: number, readonly near: number }
  /** True: the plate sinks as the part grows. False: the plate moves back and forth, and the head climbs. */
  readonly sinks: boolean
  /** Nozzle tip of a head at rest. */
  readonly park: Point
  /** Brightness without the chamber light. */
  readonly ambient: number
  /** SVG, 1280 by 720. */
  readonly backdrop: string
}

const CORNER: CameraView = {
  plate: { back: [0.40, 0.59], right: [0.93, 0.70], front: [0.63, 1.04], left: [0.02, 0.82] },
  mm: { far: 0.0018, near: 0.0034 },
  sinks: true,
  park: [0.13, 0.44],
  ambient: 0.07,
  backdrop: ENCLOSED_BACKDROP
}

const CORNER_IN_A_ROOM: CameraView = { ...CORNER, ambient: 0.3 }

const FROM_ABOVE: CameraView = {
  plate: { back: [0.49, 0.27], right: [0.93, 0.42], front: [0.44, 0.92], left: [0.02, 0.38] },
  mm: { far: 0.0018, near: 0.0036 },
  sinks: true,
  park: [0.10, 0.22],
  ambient: 0.06,
  backdrop: HIGH_BACKDROP
}

const FACING: CameraView = {
  plate: { back: [0.21, 0.52], right: [0.79, 0.52], front: [0.93, 0.86], left: [0.07, 0.86] },
  mm: { far: 0.0028, near: 0.0042 },
  sinks: false,
  park: [0.12, 0.40],
  ambient: 0.5,
  backdrop: OPEN_BACKDROP
}

export function viewOf ({ series, model }: Traits): CameraView {
  if (series === 'A1') return FACING
  if (series === 'H2' || series === 'X2') return FROM_ABOVE
  return model === 'P1P' ? CORNER_IN_A_ROOM : CORNER
}

const between = (a: number, b: number, share: number): number => a + (b - a) * share

/** Places a point of the plate, 0 to 1 in both directions and `mm` above it, in the picture. */
export function project ({ plate, mm: scale }: CameraView, u: number, v: number, mm: number): Point {
  const { back, right, front, left } = plate
  const x = between(between(back[0], right[0], u), between(left[0], front[0], u), v)
  const y = between(between(back[1], right[1], u), between(left[1], front[1], u), v)
  return [x, y - mm * between(scale.far, scale.near, (u + v) / 2)]
}

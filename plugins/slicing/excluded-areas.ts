import type { ModelInfo } from '../../core/index.js'

/** mm on the bed. */
export interface Rectangle {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/** mm at the left and at the right that only one of two nozzles reaches, so that a plate suits either. */
const ONE_NOZZLE_MM = 25
/** The corner where the X1 and P1 series cut filament, as their makers' profiles exclude it. */
const CUTTER: Rectangle = { minX: 0, minY: 0, maxX: 18, maxY: 28 }

/** Where nothing may be placed on the bed of a model. */
export function excludedOf ({ series, extruders, bedMm: [width, depth] }: ModelInfo): readonly Rectangle[] {
  const isCut = ['X1', 'P1'].includes(series)
  return [
    ...isCut ? [CUTTER] : [],
    ...extruders < 2
      ? []
      : [
          { minX: 0, minY: 0, maxX: ONE_NOZZLE_MM, maxY: depth },
          { minX: width - ONE_NOZZLE_MM, minY: 0, maxX: width, maxY: depth }
        ]
  ]
}

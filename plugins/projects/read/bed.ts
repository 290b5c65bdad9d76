import type { Bounds } from './plate-map.js'

/** Of the height nothing is asked here. */
export type BedMm = readonly [width: number, depth: number, ...rest: number[]]

/** Where the camera of the views from above sees a place on the bed. */
export interface Projection {
  readonly scale: number
  /** px of a rectangle, from the upper left corner. */
  rectangle (bounds: Bounds): { x: number, y: number, width: number, height: number }
}

/** The views from above look straight down at the middle of the bed, which fills the picture one way or the other. */
export function projectionOf ([width, depth]: BedMm, pixels: { readonly width: number, readonly height: number }):
Projection {
  const scale = Math.min(pixels.width / width, pixels.height / depth)
  const left = (pixels.width - width * scale) / 2
  const below = (pixels.height - depth * scale) / 2
  return {
    scale,
    rectangle: ([xMin, yMin, xMax, yMax]) => ({
      x: left + xMin * scale,
      y: pixels.height - below - yMax * scale,
      width: (xMax - xMin) * scale,
      height: (yMax - yMin) * scale
    })
  }
}

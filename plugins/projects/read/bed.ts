import type { Bounds } from './plate-map.js'

/** The height is not needed here. */
export type BedMm = readonly [width: number, depth: number, ...rest: number[]]

/** Maps positions on the bed to pixels of a view from above. */
export interface Projection {
  readonly scale: number
  /** px of a rectangle, from the upper left corner. */
  rectangle (bounds: Bounds): { x: number, y: number, width: number, height: number }
}

/** Views from above are centred on the bed, which fills the picture in one direction. */
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

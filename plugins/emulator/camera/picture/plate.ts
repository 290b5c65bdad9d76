import { createRandom } from '../../machine/noise.js'
import { box, fill, line, type Colour } from './canvas.js'
import type { Stage } from './stage.js'

const SHEET: Colour = [112, 96, 66]
const RIM: Colour = [74, 66, 52]
const EDGE: Colour = [40, 40, 42]
const LETTERING: Colour = [158, 142, 108]
const SPECKLES = 420
const THICKNESS_MM = 9
/** Bars in place of the lettering on a real sheet. */
const PRINTED_BARS = [[0.06, 0.34, 0.93], [0.38, 0.46, 0.93], [0.62, 0.94, 0.93], [0.72, 0.94, 0.06]] as const

interface Speckle { readonly u: number, readonly v: number, readonly brightness: number }

/** The grain of the sheet: always the same, so that it moves with the plate. */
const GRAIN: readonly Speckle[] = (() => {
  const random = createRandom('sheet')
  return Array.from({ length: SPECKLES }, () =>
    ({ u: 0.03 + random() * 0.94, v: 0.03 + random() * 0.94, brightness: 0.75 + random() * 0.55 }))
})()

function outline ({ canvas, place }: Stage, inset: number, colour: Colour): void {
  const far = 1 - inset
  fill(canvas, [place(inset, inset, 0), place(far, inset, 0), place(far, far, 0), place(inset, far, 0)], colour)
}

function drawEdges ({ canvas, place }: Stage): void {
  const wall = (u0: number, v0: number, u1: number, v1: number): void => fill(canvas, [
    place(u0, v0, 0), place(u1, v1, 0), place(u1, v1, -THICKNESS_MM), place(u0, v0, -THICKNESS_MM)
  ], EDGE)
  wall(0, 1, 1, 1)
  wall(1, 0, 1, 1)
}

/** The sheet with its rim, grain and lettering. */
export function drawPlate (stage: Stage): void {
  const { canvas, place, unit } = stage
  drawEdges(stage)
  outline(stage, 0, RIM)
  outline(stage, 0.02, SHEET)
  for (const { u, v, brightness } of GRAIN) {
    const [x, y] = place(u, v, 0)
    const [red, green, blue] = SHEET
    box(canvas, x, y, 3 * unit, 2 * unit, [red * brightness, green * brightness, blue * brightness])
  }
  for (const [from, to, v] of PRINTED_BARS) {
    line(canvas, place(from, v, 0), place(to, v, 0), 4 * unit, LETTERING)
  }
}

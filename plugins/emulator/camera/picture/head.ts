import { box, fill, line, shade, type Colour, type Point } from './canvas.js'
import type { Stage } from './stage.js'

const BODY: Colour = [58, 60, 64]
const FRONT: Colour = [88, 91, 96]
const DARK: Colour = [24, 25, 27]
const BRASS: Colour = [170, 140, 80]
const BEAM: Colour = [118, 122, 127]
const SIGN: Colour = [96, 220, 130]
const WARM: Colour = [255, 236, 190]

/** Position of the nozzle tip. */
function tip ({ canvas, place, scene, view }: Stage): Point {
  const { head, printedMm } = scene
  if (head !== undefined) return place(head.u, head.v, printedMm)
  const [x, y] = view.park
  return [x * canvas.width, y * canvas.height]
}

/** The beam that carries the head, across the whole picture. */
function drawBeam ({ canvas, unit, view }: Stage, y: number): void {
  const slope = view.sinks ? 22 * unit : 0
  const thickness = (view.sinks ? 14 : 34) * unit
  line(canvas, [0, y - slope], [canvas.width, y + slope], thickness + 6 * unit, DARK)
  line(canvas, [0, y - slope], [canvas.width, y + slope], thickness, BEAM)
}

const LUMPS = [[0, -4, 24], [-17, 4, 17], [15, 6, 19], [2, 13, 16], [-8, -20, 18]] as const
const LUMP_CORNERS = 14

/** A blob of plastic around the nozzle. */
function drawBlob ({ canvas, unit, scene: { colour } }: Stage, [x, y]: Point, share: number): void {
  for (const [at, [dx, dy, radius]] of LUMPS.entries()) {
    const size = radius * share * unit
    fill(canvas, Array.from({ length: LUMP_CORNERS }, (_, corner): Point => {
      const angle = corner / LUMP_CORNERS * 2 * Math.PI
      return [x + dx * share * unit + size * Math.cos(angle), y + dy * share * unit + size * Math.sin(angle)]
    }), shade(colour, 0.6 + 0.1 * at))
  }
}

/** The head above its nozzle; its lamp is lit while it prints. */
export function drawHead (stage: Stage): void {
  const { canvas, unit, scene } = stage
  const [x, y] = tip(stage)
  const at = (dx: number, dy: number): Point => [x + dx * unit, y + dy * unit]
  drawBeam(stage, y - 118 * unit)
  fill(canvas, [at(-58, -176), at(58, -176), at(64, -44), at(30, -22), at(-30, -22), at(-64, -44)], BODY)
  fill(canvas, [at(-46, -166), at(46, -166), at(50, -62), at(-50, -62)], FRONT)
  fill(canvas, [at(-50, -62), at(50, -62), at(24, -26), at(-24, -26)], DARK)
  for (let rib = 0; rib < 5; rib++) box(canvas, x + (-30 + rib * 14) * unit, y - 150 * unit, 6 * unit, 40 * unit, DARK)
  fill(canvas, [at(-10, -24), at(10, -24), at(3, 0), at(-3, 0)], BRASS)
  box(canvas, x + 30 * unit, y - 84 * unit, 10 * unit, 6 * unit, SIGN)
  if (scene.head !== undefined) fill(canvas, [at(-18, -28), at(18, -28), at(15, -22), at(-15, -22)], WARM)
  if (scene.failure?.kind === 'blob') drawBlob(stage, [x, y], scene.failure.share)
}

import { fill, line, mix, shade, type Colour, type Point } from './canvas.js'
import { PART_RADIUS } from './scene.js'
import type { Stage } from './stage.js'

const CORNERS = 44
/** Rows of pixels between the layers that are drawn, at 1280 wide. */
const LAYER_PX = 3
const MOST_LAYERS = 90
const TWIST_PER_MM = 0.011
const WHITE: Colour = [255, 255, 255]

/** Shares of the plate by which layers lie beside those below, and a loose part beside its place. */
const SHIFTED = 0.06
const LOOSE = [0.2, 0.14] as const
/** How far a corner comes up, mm, and up to which height the part bends. */
const WARPED = { lift: 16, upTo: 40 }

/** Displacement of a place of the part by the kind of failure. */
function moved ({ scene: { failure } }: Stage, angle: number, mm: number): readonly [u: number, v: number, mm: number] {
  if (failure?.kind === 'shift' && mm > failure.fromMm) return [SHIFTED, -SHIFTED, 0]
  if (failure?.kind === 'detached') return [...LOOSE, 0]
  if (failure?.kind !== 'warped') return [0, 0, 0]
  const bend = Math.max(0, Math.cos(angle - 0.8) - 0.3) * Math.max(0, 1 - mm / WARPED.upTo)
  return [0, 0, WARPED.lift * failure.share * bend]
}

/** Outline of the part at a height: a lobed vase that turns as it rises. */
function outlineAt (stage: Stage, mm: number): Point[] {
  const { place, scene } = stage
  const lobes = 3 + scene.seed % 4
  const belly = 0.86 + 0.14 * Math.sin(mm / 26)
  return Array.from({ length: CORNERS }, (_, at) => {
    const angle = at / CORNERS * 2 * Math.PI
    const radius = PART_RADIUS * belly * (1 + 0.13 * Math.cos(lobes * (angle + mm * TWIST_PER_MM)))
    const [u, v, up] = moved(stage, angle, mm)
    return place(0.5 + u + radius * Math.cos(angle), 0.5 + v + radius * Math.sin(angle), mm + up)
  })
}

/** Lines of infill on the uppermost layer. */
function drawInfill (stage: Stage, mm: number, colour: Colour): void {
  const { canvas, place, unit } = stage
  const [u, v] = moved(stage, 0, mm)
  for (let at = -2; at <= 2; at++) {
    const off = at * PART_RADIUS * 0.33
    const reach = PART_RADIUS * 0.62
    const [from, to] = [place(0.5 + u - reach, 0.5 + v + off, mm), place(0.5 + u + reach, 0.5 + v + off, mm)]
    line(canvas, from, to, 2 * unit, colour, 0.6)
  }
}

/** What has been printed so far, layer upon layer. */
export function drawPart (stage: Stage): void {
  const { canvas, place, scene: { partMm, colour, head }, unit } = stage
  if (partMm <= 0) return
  const tallPx = place(0.5, 0.5, 0)[1] - place(0.5, 0.5, partMm)[1]
  const layers = Math.max(1, Math.min(MOST_LAYERS, Math.ceil(tallPx / (LAYER_PX * unit))))
  fill(canvas, outlineAt(stage, 0).map(([x, y]): Point => [x + 10 * unit, y + 6 * unit]), [20, 18, 16], 0.35)
  for (let layer = 0; layer <= layers; layer++) {
    const brightness = (layer % 2 === 0 ? 0.62 : 0.7) + 0.12 * layer / layers
    fill(canvas, outlineAt(stage, partMm * layer / layers), shade(colour, brightness))
  }
  fill(canvas, outlineAt(stage, partMm), mix(colour, WHITE, 0.12))
  if (head !== undefined) drawInfill(stage, partMm, shade(colour, 0.72))
}

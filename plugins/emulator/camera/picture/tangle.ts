import { createRandom } from '../../machine/noise.js'
import { line, mix, shade, type Colour, type Point } from './canvas.js'
import { PART_RADIUS } from './scene.js'
import type { Stage } from './stage.js'

const MOST_STRANDS = 80
const STEPS = 42
const STEP_PX = 11
const THICKNESS_PX = 2.6
/** A strand that strays further than this from where it began is bent back. */
const REACH_PX = 120
const WHITE: Colour = [255, 255, 255]

/** One loose strand: it curls, wanders and comes back. The same number gives the same strand. */
function strand ({ place, scene, unit }: Stage, number: number): { points: Point[], colour: Colour } {
  const random = createRandom(`${scene.seed}/${number}`)
  const side = (): number => (random() * 2 - 1) * PART_RADIUS * 1.2
  const start = place(0.5 + side(), 0.5 + side(), scene.partMm * (0.4 + 0.6 * random()) + random() * 14)
  const curl = (random() * 2 - 1) * 0.5
  let heading = random() * 2 * Math.PI
  let [x, y] = start
  const points: Point[] = [start]
  for (let step = 0; step < STEPS; step++) {
    const isFar = Math.hypot(x - start[0], (y - start[1]) * 1.6) > REACH_PX * unit
    heading = isFar ? Math.atan2(start[1] - y, start[0] - x) + curl : heading + curl + (random() * 2 - 1) * 0.7
    x += Math.cos(heading) * STEP_PX * unit
    y += Math.sin(heading) * STEP_PX * unit * 0.7
    points.push([x, y])
  }
  const tone = random()
  const { colour } = scene
  return { points, colour: tone < 0.5 ? shade(colour, 0.5 + tone) : mix(colour, WHITE, tone - 0.4) }
}

/** Loose filament. Grows by whole strands; existing ones do not change. */
export function drawTangle (stage: Stage): void {
  const { canvas, scene, unit } = stage
  for (let number = 0; number < Math.round(scene.tangle * MOST_STRANDS); number++) {
    const { points, colour } = strand(stage, number)
    for (let at = 1; at < points.length; at++) {
      line(canvas, points[at - 1] as Point, points[at] as Point, THICKNESS_PX * unit, colour)
    }
  }
}

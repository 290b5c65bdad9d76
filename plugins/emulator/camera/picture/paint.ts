import { box, createCanvas, type Canvas } from './canvas.js'
import { develop } from './sensor-noise.js'
import { drawHead } from './head.js'
import { write } from './lettering.js'
import { drawPart } from './part.js'
import { drawPlate } from './plate.js'
import type { Scene } from './scene.js'
import { createStage } from './stage.js'
import { drawTangle } from './tangle.js'
import type { CameraView } from './view.js'

/** `2030-01-31 12:00:00.0`, UTC. */
const stamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 21)

function drawStamp (canvas: Canvas, unit: number, at: number): void {
  const dot = Math.max(1, Math.round(2 * unit))
  const top = canvas.height - 11 * dot
  box(canvas, 4 * dot, top - 3 * dot, 130 * dot, 13 * dot, [12, 12, 12])
  write(canvas, stamp(at), 6 * dot, top, dot, [230, 230, 230])
}

/**
 * Draws one picture.
 *
 * @param backdrop bytes of everything that never moves, of the same size
 */
export function paint (view: CameraView, scene: Scene, backdrop: Uint8Array, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height)
  canvas.data.set(backdrop)
  const stage = createStage(canvas, view, scene)
  drawPlate(stage)
  drawPart(stage)
  drawTangle(stage)
  drawHead(stage)
  develop(canvas, scene.isLit ? 1 : view.ambient, Math.round(scene.at))
  drawStamp(canvas, stage.unit, scene.at)
  return canvas
}

import type { Canvas, Point } from './canvas.js'
import type { Scene } from './scene.js'
import { project, type CameraView } from './view.js'

/** A scene in front of a camera: the context of all drawing functions. */
export interface Stage {
  readonly canvas: Canvas
  readonly view: CameraView
  readonly scene: Scene
  /** Size of a pixel of a picture 1280 wide. */
  readonly unit: number
  /** Pixel of a point of the plate, 0 to 1 in both directions and so many mm above it. */
  place (u: number, v: number, mm: number): Point
}

export function createStage (canvas: Canvas, view: CameraView, scene: Scene): Stage {
  const sunk = view.sinks ? scene.printedMm : 0
  const slid = view.sinks || scene.head === undefined ? 0 : 0.5 - scene.head.v
  return {
    canvas,
    view,
    scene,
    unit: canvas.width / 1280,
    place (u, v, mm) {
      const [x, y] = project(view, u, v + slid, mm - sunk)
      return [x * canvas.width, y * canvas.height]
    }
  }
}

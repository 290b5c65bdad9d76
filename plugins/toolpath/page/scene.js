// The picture in a canvas: when it is drawn, from where it is seen, and how much of it while it moves.

import { createPainter } from './painter.js'
import { cameraOf, FOV, fitted } from './orbit.js'
import { projected, unit } from './matrix.js'

/** ms without a change after which everything is drawn. */
const REST_MS = 160
/** Points of the outline while the view moves. */
const FIRST_BUDGET = 60_000
const LEAST_BUDGET = 6_000
const MOST_BUDGET = 1_500_000
/** ms that a frame should take while the view moves. */
const SLOW_FRAME_MS = 40
const QUICK_FRAME_MS = 22
/** ms between pictures while the plate arrives. */
const ARRIVAL_MS = 350
const MOST_PIXEL_RATIO = 2
/** From the upper left, a little before the part. */
const LIGHT = [-0.3, 0.5, 0.85]

/** Light that comes with the eye. @param {readonly number[]} view */
const lightOf = view =>
  unit([0, 4, 8].map(at => LIGHT[0] * view[at] + LIGHT[1] * view[at + 1] + LIGHT[2] * view[at + 2]))

export class Scene {
  #gl
  #canvas
  #painter
  #onFrame
  /** @type {import('./painter.js').Display | undefined} */
  #display
  #orbit = fitted({ min: [0, 0, 0], max: [100, 100, 100] }, 1)
  #budget = FIRST_BUDGET
  #changedAt = 0
  #frameAt = 0
  /** Passed once the last frame is drawn. @type {WebGLSync | null} */
  #fence = null
  #isDirty = false
  /** False while only more of the plate has arrived: that is shown a few times a second. */
  #isUrgent = false
  #request = 0
  /** @type {{ next: () => boolean } | undefined} */
  #full
  #watch = new ResizeObserver(() => this.#resize())
  #ends = new AbortController()

  /**
   * @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl
   * @param {(frame: { isFull: boolean, place: (point: number[]) => number[] }) => void} onFrame
   */
  constructor (canvas, gl, onFrame) {
    this.#canvas = canvas
    this.#gl = gl
    this.#onFrame = onFrame
    this.#painter = createPainter(gl)
    const { signal } = this.#ends
    canvas.addEventListener('webglcontextlost', event => event.preventDefault(), { signal })
    canvas.addEventListener('webglcontextrestored', () => {
      this.#fence = null
      this.#painter.restore()
      this.#change()
    }, { signal })
    this.#watch.observe(canvas)
    this.#resize()
  }

  get parts () { return this.#painter.parts }
  get orbit () { return this.#orbit }
  set orbit (next) { this.#orbit = next; this.#change() }
  get budget () { return this.#budget }

  /** @param {import('./pack-track.js').Part} part */
  add (part) {
    this.#painter.add(part)
    const isUrgent = this.#isUrgent
    this.#change()
    this.#isUrgent = isUrgent
  }

  /** @param {readonly number[]} size mm */
  setBed (size) { this.#painter.setBed(size); this.#change() }
  /** @param {import('./painter.js').Display} display */
  show (display) { this.#display = display; this.#change() }
  /** @param {{ min: number[], max: number[] }} box @param {number} [turn] @param {number} [tilt] */
  fit (box, turn, tilt) { this.orbit = fitted(box, this.#aspect, turn, tilt) }

  close () {
    cancelAnimationFrame(this.#request)
    this.#watch.disconnect()
    this.#ends.abort()
    this.#painter.close()
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
  }

  get #aspect () { return this.#canvas.width / Math.max(1, this.#canvas.height) }
  get #size () { return [this.#canvas.width, this.#canvas.height] }
  get #camera () {
    const { view, ...camera } = cameraOf(this.#orbit, this.#aspect)
    return { ...camera, light: lightOf(view), pixels: this.#canvas.height / 2 / Math.tan(FOV / 2) }
  }

  #resize () {
    const ratio = Math.min(MOST_PIXEL_RATIO, globalThis.devicePixelRatio || 1)
    const { clientWidth, clientHeight } = this.#canvas
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)]
    if (width === 0 || height === 0 || (this.#canvas.width === width && this.#canvas.height === height)) return
    this.#canvas.width = width
    this.#canvas.height = height
    this.#change()
  }

  #change () {
    this.#isDirty = this.#isUrgent = true
    this.#full = undefined
    this.#changedAt = performance.now()
    this.#schedule()
  }

  #schedule () { if (this.#request === 0) this.#request = requestAnimationFrame(now => this.#frame(now)) }

  #frame (now) {
    this.#request = 0
    if (!this.#display || this.#gl.isContextLost()) return
    if (!this.#isDrawn(now)) return this.#schedule()
    if (this.#isDirty && !this.#isUrgent && now - this.#frameAt < ARRIVAL_MS) return this.#schedule()
    if (this.#isDirty) {
      this.#isDirty = this.#isUrgent = false
      const camera = this.#camera
      this.#painter.quick(this.#display, camera, this.#size, this.#budget)
      this.#report(false, camera)
      this.#fence = this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
      this.#gl.flush()
      this.#frameAt = now
      return this.#schedule()
    }
    if (performance.now() - this.#changedAt < REST_MS) return this.#schedule()
    const sharpness = globalThis.devicePixelRatio < 1.5 ? 2 : 1
    const full = this.#full ?? this.#painter.full(this.#display, this.#camera, this.#size, sharpness)
    this.#full = full
    if (full.next()) this.#report(true, this.#camera)
    else this.#schedule()
  }

  #report (isFull, { matrix }) {
    this.#onFrame({ isFull, place: ([x = 0, y = 0, z = 0]) => projected(matrix, [x, y, z]) })
  }

  /** Whether the frame before is drawn: fewer lines follow if that took long, more if it was quick. */
  #isDrawn (now) {
    const gl = this.#gl
    if (!this.#fence) return true
    if (gl.clientWaitSync(this.#fence, 0, 0) === gl.TIMEOUT_EXPIRED) return false
    gl.deleteSync(this.#fence)
    this.#fence = null
    const took = now - this.#frameAt
    if (took > SLOW_FRAME_MS) this.#budget = Math.max(LEAST_BUDGET, this.#budget * 0.65)
    else if (took < QUICK_FRAME_MS) this.#budget = Math.min(MOST_BUDGET, this.#budget * 1.15)
    return true
  }
}

/**
 * @param {HTMLCanvasElement} canvas @param {ConstructorParameters<typeof Scene>[2]} onFrame
 * @returns {Scene | undefined} undefined in a browser without WebGL 2
 */
export function createScene (canvas, onFrame) {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: false, depth: true, powerPreference: 'high-performance' })
  return gl ? new Scene(canvas, gl, onFrame) : undefined
}

// Paints what is to be seen of a plate: quickly while the view moves, in full and in pieces once it rests.

import { createHiddenPicture } from './hidden-picture.js'
import { KIND } from './pack-track.js'
import { planFull, planOutline, planQuick } from './plan.js'
import { createRenderer } from './renderer.js'

const GHOST_ALPHA = 0.16
const GLOW = { glow: 0.5, widen: 4.5 }
/** Points of a piece of a full picture, at first and at least; then as many as the graphics card can. */
const FIRST_PIECE = 40_000
const LEAST_PIECE = 8_000
const MOST_PIECE = 1_500_000
/** ms that a piece should take. */
const SLOW_PIECE_MS = 40
const QUICK_PIECE_MS = 22

/**
 * @typedef {object} Display what is shown, and how
 * @property {number} first @property {number} last layers
 * @property {number} [end] points of the last layer
 * @property {number} [ghostTo] layers above the last one up to here are shown pale
 * @property {number} [glowing] layer
 * @property {boolean} travel
 * @property {number} mode @property {number} least @property {number} most ends of the scale, as points have them
 * @property {Float32Array} palette
 * @property {{ bed: number[], bedLines: number[], glow: number[] }} colors
 *
 * @typedef {{ matrix: Float32Array, eye: number[], light: number[], pixels: number }} Camera
 */

/** The last layer alone, as far as it is shown. @param {Display} display */
const lastLayer = ({ last, end }, layer = last) =>
  ({ first: layer, last: layer, ...(end !== undefined && layer === last && { end }) })

/** @param {WebGL2RenderingContext} gl */
export function createPainter (gl) {
  let renderer = createRenderer(gl)
  let hidden = createHiddenPicture(gl)
  /** @type {(import('./pack-track.js').Part & { texture: any, outlineTexture: any })[]} */
  const parts = []
  let bed = [0, 0]

  const upload = part =>
    ({ ...part, texture: renderer.upload(part.points), outlineTexture: renderer.upload(part.outline) })
  function paint (draws, style = {}) {
    for (const { part, isOutline, first, end, tall = 1 } of draws) {
      renderer.style({ ...style, tall })
      renderer.draw(isOutline ? parts[part].outlineTexture : parts[part].texture, first, end)
    }
  }
  /** What is pale shows its front alone: its depth comes first. */
  function paintGhost ({ last, ghostTo = 0 }, budget) {
    if (ghostTo <= last) return
    const draws = planOutline(parts, last + 1, ghostTo, budget)
    renderer.depthOnly(true)
    paint(draws)
    renderer.depthOnly(false)
    paint(draws, { alpha: GHOST_ALPHA })
  }
  /** @param {Display} display @param {number} budget */
  function paintRest (display, budget) {
    const { travel, glowing, colors } = display
    if (travel) {
      paint(planFull(parts, lastLayer(display), Infinity), { kind: KIND.travel, tint: [...colors.bedLines, 0.6] })
    }
    if (glowing !== undefined) {
      const draws = planFull(parts, lastLayer(display, glowing), Infinity)
      paint(draws, { tint: [...colors.glow, 0.75], widen: 1.15 })
      paint(draws, { ...GLOW, tint: [...colors.glow, 1] })
    }
    paintGhost(display, budget)
  }

  return {
    parts,
    /** @param {import('./pack-track.js').Part} part */
    add (part) { parts.push(upload(part)) },
    setBed (size) { bed = size; renderer.setBed(size) },
    /**
     * @param {Display} display @param {Camera} camera @param {readonly number[]} size px
     * @param {number} budget points
     */
    quick (display, camera, [width, height], budget) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, null)
      gl.viewport(0, 0, width, height)
      renderer.begin(camera, display.colors)
      renderer.useLines(camera, display)
      paint(planQuick(parts, display, budget))
      paintRest(display, budget)
    },
    /**
     * Starts a picture of everything.
     * @param {Display} display @param {Camera} camera @param {readonly number[]} size px
     */
    full: (display, camera, size, sharpness = 1) => createFullPicture({
      gl, renderer, hidden, display, camera, size, sharpness, queue: planFull(parts, display), paint, paintRest
    }),
    /** After the graphics card has lost everything. */
    restore () {
      renderer = createRenderer(gl)
      hidden = createHiddenPicture(gl)
      renderer.setBed(bed)
      parts.splice(0, parts.length, ...parts.map(upload))
    },
    close () {
      for (const { texture, outlineTexture } of parts) {
        renderer.remove(texture)
        renderer.remove(outlineTexture)
      }
    }
  }
}

/** How many points the graphics card draws in time; it is learned from picture to picture. */
let piece = FIRST_PIECE

function createFullPicture ({ gl, renderer, hidden, display, camera, size, sharpness, queue, paint, paintRest }) {
  const [width, height] = size
  /** @type {WebGLSync | null} */
  let fence = null
  let fencedAt = 0
  let isBegun = false

  /** @returns whether the last piece is done */
  function isReady () {
    if (!fence) return true
    if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return false
    gl.deleteSync(fence)
    fence = null
    const took = performance.now() - fencedAt
    const factor = took > SLOW_PIECE_MS ? 0.7 : took < QUICK_PIECE_MS ? 1.6 : 1
    piece = Math.min(MOST_PIECE, Math.max(LEAST_PIECE, piece * factor))
    return true
  }
  return {
    /** Paints one piece more. @returns whether the picture is complete and shown */
    next () {
      if (!isReady()) return false
      hidden.begin(width * sharpness, height * sharpness)
      if (!isBegun) renderer.begin(camera, display.colors)
      isBegun = true
      renderer.useLines({ ...camera, pixels: camera.pixels * sharpness }, display)
      let left = piece
      while (queue.length > 0 && left > 0) {
        const draw = queue.shift()
        left -= draw.end - draw.first
        paint([draw])
      }
      const isLast = queue.length === 0
      if (isLast) {
        paintRest(display, MOST_PIECE)
        hidden.show(width, height)
      } else gl.bindFramebuffer(gl.FRAMEBUFFER, null)
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
      fencedAt = performance.now()
      gl.flush()
      return isLast
    }
  }
}

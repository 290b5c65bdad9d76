// A camera that turns round a point. Pure.

import { cross, lookAt, perspective, times, unit } from './matrix.js'

/** Vertical angle of view, radians. */
export const FOV = 32 * Math.PI / 180
const FLATTEST = -0.35
/** Straight from above would leave no direction for up. */
const STEEPEST = Math.PI / 2 - 0.001
const NEAREST_MM = 3
const FARTHEST_MM = 3_000

/**
 * Angles in radians, lengths in mm.
 * @typedef {{ target: number[], distance: number, turn: number, tilt: number }} Orbit
 */

const clamped = (value, least, most) => Math.min(most, Math.max(least, value))

/**
 * So that a box fills the view.
 * @param {{ min: number[], max: number[] }} box @param {number} aspect width by height
 */
export function fitted ({ min, max }, aspect, turn = -0.55, tilt = 0.5) {
  const size = max.map((value, at) => value - min[at])
  const radius = Math.hypot(...size) / 2
  const half = Math.atan(Math.tan(FOV / 2) * Math.min(1, aspect))
  const distance = clamped(radius / Math.sin(half) * 0.92, 20, FARTHEST_MM)
  return { target: min.map((value, at) => value + size[at] / 2), distance, turn, tilt }
}

/** @param {Orbit} orbit */
export const turned = (orbit, right, up) =>
  ({ ...orbit, turn: orbit.turn + right, tilt: clamped(orbit.tilt + up, FLATTEST, STEEPEST) })

/** @param {Orbit} orbit @param {number} factor above 1: farther away */
export const zoomed = (orbit, factor) =>
  ({ ...orbit, distance: clamped(orbit.distance * factor, NEAREST_MM, FARTHEST_MM) })

/** @param {Orbit} orbit */
function eyeOf ({ target, distance, turn, tilt }) {
  const level = Math.cos(tilt) * distance
  const [x, y, z] = target
  return [x + level * Math.sin(turn), y - level * Math.cos(turn), z + Math.sin(tilt) * distance]
}

/** Moves the view by parts of its height. @param {Orbit} orbit */
export function moved (orbit, right, up) {
  const { target, distance } = orbit
  const eye = eyeOf(orbit)
  const back = unit(eye.map((value, at) => value - target[at]))
  const across = unit(cross([0, 0, 1], back))
  const upward = cross(back, across)
  const size = 2 * distance * Math.tan(FOV / 2)
  return { ...orbit, target: target.map((value, at) => value - (across[at] * right + upward[at] * up) * size) }
}

/** What the renderer needs. @param {Orbit} orbit @param {number} aspect */
export function cameraOf (orbit, aspect) {
  const eye = eyeOf(orbit)
  const near = Math.max(0.5, orbit.distance / 200)
  const view = lookAt(eye, orbit.target, [0, 0, 1])
  return { eye, matrix: times(perspective(FOV, aspect, near, orbit.distance + 1_500), view), view }
}

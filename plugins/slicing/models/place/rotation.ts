import type { Matrix, Vector } from '../mesh/mesh.js'
import { multiply } from '../mesh/mesh.js'

const RADIANS = Math.PI / 180

/** Exact at right angles, so that a turned cube stays a cube. */
function cosSin (degrees: number): [number, number] {
  const quarter = degrees / 90
  if (!Number.isInteger(quarter)) return [Math.cos(degrees * RADIANS), Math.sin(degrees * RADIANS)]
  return ([[1, 0], [0, 1], [-1, 0], [0, -1]] as const)[((quarter % 4) + 4) % 4] as [number, number]
}

function aboutX (degrees: number): Matrix {
  const [c, s] = cosSin(degrees)
  return [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0]
}

function aboutY (degrees: number): Matrix {
  const [c, s] = cosSin(degrees)
  return [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0]
}

export function aboutZ (degrees: number): Matrix {
  const [c, s] = cosSin(degrees)
  return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0]
}

export const scaled = (factor: number): Matrix => [factor, 0, 0, 0, 0, factor, 0, 0, 0, 0, factor, 0]

export const moved = ([x, y, z]: Vector): Matrix => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]

/** About x, then y, then z. */
export const rotation = ([x, y, z]: Vector): Matrix => multiply(aboutZ(z), multiply(aboutY(y), aboutX(x)))

/** The shortest rotation that makes a direction of length 1 point down. */
export function downward ([x, y, z]: Vector): Matrix {
  if (z > 1 - 1e-9) return aboutX(180)
  if (z < -1 + 1e-9) return aboutX(0)
  // Rodrigues, about the axis (x, y, z) × (0, 0, -1) = (-y, x, 0)
  const k = 1 / (1 - z)
  return [
    -z + y * y * k, -x * y * k, -x, 0,
    -x * y * k, -z + x * x * k, -y, 0,
    x, y, -z, 0
  ]
}

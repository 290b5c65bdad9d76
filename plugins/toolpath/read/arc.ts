/** Part of a circle in the plane of the bed. */
export interface Arc {
  /** mm. */
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Radians, where it begins. */
  readonly start: number
  /** Radians, positive against the clock. */
  readonly sweep: number
}

const TURN = 2 * Math.PI
/** Below it, a circle is a point. mm. */
const SMALLEST_RADIUS = 1e-4

export interface ArcWords {
  readonly fromX: number
  readonly fromY: number
  readonly toX: number
  readonly toY: number
  readonly clockwise: boolean
  /** From the beginning to the centre; undefined with a radius. */
  readonly i: number | undefined
  readonly j: number | undefined
  /** Negative for the longer way round. */
  readonly r: number | undefined
}

/** @returns undefined if the words describe no arc: the printer goes straight or refuses it */
export function arcOf (words: ArcWords): Arc | undefined {
  const { fromX, fromY, toX, toY, clockwise } = words
  const centre = words.r === undefined ? offsetCentre(words) : radiusCentre(words)
  if (centre === undefined) return undefined
  const [x, y] = centre
  const radius = Math.hypot(fromX - x, fromY - y)
  if (!(radius > SMALLEST_RADIUS) || !Number.isFinite(radius)) return undefined
  const start = Math.atan2(fromY - y, fromX - x)
  const isFull = fromX === toX && fromY === toY
  const turned = isFull ? 0 : Math.atan2(toY - y, toX - x) - start
  const positive = ((turned % TURN) + TURN) % TURN
  const sweep = isFull ? (clockwise ? -TURN : TURN) : clockwise ? positive - TURN : positive
  return { x, y, radius, start, sweep }
}

function offsetCentre ({ fromX, fromY, i = 0, j = 0 }: ArcWords): readonly [number, number] | undefined {
  return i === 0 && j === 0 ? undefined : [fromX + i, fromY + j]
}

function radiusCentre ({ fromX, fromY, toX, toY, clockwise, r = 0 }: ArcWords): readonly [number, number] | undefined {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const chord = Math.hypot(dx, dy)
  if (chord === 0 || r === 0) return undefined
  const height = Math.sqrt(Math.max(0, r * r - chord * chord / 4))
  const side = clockwise === (r > 0) ? -1 : 1
  return [fromX + dx / 2 - side * height * dy / chord, fromY + dy / 2 + side * height * dx / chord]
}

export const arcLength = ({ radius, sweep }: Arc): number => radius * Math.abs(sweep)

/** The outermost points of an arc beside its ends: where it passes an axis of its circle. */
export function arcExtremes ({ x, y, radius, start, sweep }: Arc): readonly (readonly [number, number])[] {
  const [from, to] = sweep > 0 ? [start, start + sweep] : [start + sweep, start]
  const points: (readonly [number, number])[] = []
  for (let quarter = Math.ceil(from / (Math.PI / 2)); quarter * Math.PI / 2 <= to; quarter++) {
    const angle = quarter * Math.PI / 2
    points.push([x + radius * Math.cos(angle), y + radius * Math.sin(angle)])
  }
  return points
}

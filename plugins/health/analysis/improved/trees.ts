/** Gradient-boosted decision trees of depth three. Plain numbers, so that they can be stored as data. */
export interface Trees {
  /** Names of the features, in the order of a row. */
  readonly features: readonly string[]
  /** Log odds before any tree. */
  readonly base: number
  /** For each tree: feature and threshold of seven nodes, then the log odds of eight leaves. */
  readonly trees: readonly (readonly number[])[]
}

const NODES = 7

/** Probability that a row belongs to the class, 0 to 1. At or below a threshold the left branch is taken. */
export function chanceOf ({ base, trees }: Trees, rows: Float32Array, from: number): number {
  let odds = base
  for (const tree of trees) {
    let at = 0
    while (at < NODES) {
      at = 2 * at + ((rows[from + (tree[2 * at] as number)] as number) <= (tree[2 * at + 1] as number) ? 1 : 2)
    }
    odds += tree[NODES + at] as number
  }
  return 1 / (1 + Math.exp(-odds))
}

/** Linear interpolation through points, constant beyond them. */
export function interpolate (points: readonly (readonly [x: number, y: number])[], x: number): number {
  const at = points.findIndex(([from]) => x <= from)
  const [toX, toY] = points[at < 0 ? points.length - 1 : at] ?? [0, 0]
  const [fromX, fromY] = points[Math.max(0, at - 1)] ?? [0, 0]
  return at <= 0 ? toY : fromY + (toY - fromY) * (x - fromX) / (toX - fromX)
}

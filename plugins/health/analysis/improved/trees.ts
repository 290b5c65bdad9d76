/** Trees of three questions each, summed up. Plain numbers, so that they can be kept as data. */
export interface Trees {
  /** What is measured, by name, in the order of a row. */
  readonly features: readonly string[]
  /** Log odds without any question. */
  readonly base: number
  /** Of each tree: feature and threshold of seven questions, then eight answers. */
  readonly trees: readonly (readonly number[])[]
}

const QUESTIONS = 7

/** Chance that a row is what the trees look for, 0 to 1. Below or at a threshold the left branch is taken. */
export function chanceOf ({ base, trees }: Trees, rows: Float32Array, from: number): number {
  let odds = base
  for (const tree of trees) {
    let at = 0
    while (at < QUESTIONS) {
      at = 2 * at + ((rows[from + (tree[2 * at] as number)] as number) <= (tree[2 * at + 1] as number) ? 1 : 2)
    }
    odds += tree[QUESTIONS + at] as number
  }
  return 1 / (1 + Math.exp(-odds))
}

/** Straight lines through points, level beyond them. */
export function along (points: readonly (readonly [x: number, y: number])[], x: number): number {
  const at = points.findIndex(([from]) => x <= from)
  const [toX, toY] = points[at < 0 ? points.length - 1 : at] ?? [0, 0]
  const [fromX, fromY] = points[Math.max(0, at - 1)] ?? [0, 0]
  return at <= 0 ? toY : fromY + (toY - fromY) * (x - fromX) / (toX - fromX)
}

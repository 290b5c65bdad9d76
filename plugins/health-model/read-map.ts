import type { Box, Model, Output } from './types.js'

/** Cells of a map that are as certain as this are marked. */
const MARKED = 0.5

/** Joins marked cells that touch each other. @returns their columns and rows, and the highest certainty */
function regionFrom (cell: number, seen: Uint8Array, map: Output, columns: number) {
  const region = { left: Infinity, top: Infinity, right: 0, bottom: 0, score: 0 }
  const open = [cell]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen[next] === 1 || !((map.data[next] ?? 0) >= MARKED)) continue
    seen[next] = 1
    const [x, y] = [next % columns, Math.floor(next / columns)]
    region.left = Math.min(region.left, x)
    region.top = Math.min(region.top, y)
    region.right = Math.max(region.right, x + 1)
    region.bottom = Math.max(region.bottom, y + 1)
    region.score = Math.max(region.score, map.data[next] ?? 0)
    if (x > 0) open.push(next - 1)
    if (x < columns - 1) open.push(next + 1)
    open.push(next - columns, next + columns)
  }
  return region
}

/** Where a classifier sees a failure, if it also answers with a map `[1, 1, rows, columns]` of certainties. */
export function boxesOfMap ({ kind, failing }: Model, outputs: readonly Output[]): Box[] {
  const map = kind === 'classifier' ? outputs.find(({ dims }) => dims.length === 4 && dims[1] === 1) : undefined
  const [, , rows = 0, columns = 0] = map?.dims ?? []
  if (!map || map.data.length !== rows * columns) return []
  const seen = new Uint8Array(map.data.length)
  const boxes: Box[] = []
  for (let cell = 0; cell < seen.length; cell++) {
    const { left, top, right, bottom, score } = regionFrom(cell, seen, map, columns)
    if (score === 0) continue
    boxes.push({
      left: left / columns,
      top: top / rows,
      right: right / columns,
      bottom: bottom / rows,
      score: Math.min(1, score),
      label: failing[0] ?? ''
    })
  }
  return boxes
}

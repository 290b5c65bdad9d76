/** Pixels, from the upper left corner. */
export type Point = readonly [x: number, y: number]

/**
 * Exact coverage of pixels by an outline. In each row, every edge adds its change of coverage to the pixel it crosses
 * and to the one on its right; the running sum from the left is then the coverage.
 */

/** Changes of coverage in the current rows; all zero between two calls. */
let changes = new Float32Array(0)

/** Coverage that makes no visible difference. */
const NONE = 0.004

/** The part of a picture that an outline touches. */
interface Area { readonly left: number, readonly top: number, readonly columns: number, readonly rows: number }

function areaOf (points: readonly Point[], width: number, height: number): Area | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (const [x, y] of points) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
  }
  left = Math.max(0, Math.floor(left))
  top = Math.max(0, Math.floor(top))
  const columns = Math.min(width, Math.ceil(right)) - left
  const rows = Math.min(height, Math.ceil(bottom)) - top
  return columns > 0 && rows > 0 ? { left, top, columns, rows } : undefined
}

const change = (at: number, by: number): void => { changes[at] = (changes[at] as number) + by }

/** Adds the part of an edge within one row, from `from` to `to`, which spans the share `by` of the row's height. */
function step (row: number, from: number, to: number, by: number): void {
  const first = Math.floor(from)
  const last = Math.floor(to)
  if (first === last) {
    const inside = (from + to) / 2 - first
    change(row + first, by * (1 - inside))
    change(row + first + 1, by * inside)
    return
  }
  const perPixel = by / (to - from)
  let before = 0
  for (let x = first; x <= last; x++) {
    // Pixels to the right of the edge are covered: fully beyond the edge, partly where it crosses them.
    const enters = Math.max(from, x)
    const leaves = Math.min(to, x + 1)
    const onTheWay = (leaves - enters) * (x + 1 - (enters + leaves) / 2)
    const share = (enters - from + onTheWay) * perPixel
    change(row + x, share - before)
    before = share
  }
  change(row + last + 1, by - before)
}

function edge ({ left, top, columns, rows }: Area, a: Point, b: Point): void {
  if (a[1] === b[1]) return
  const sign = a[1] < b[1] ? 1 : -1
  const [[x0, y0], [x1, y1]] = sign > 0 ? [a, b] : [b, a]
  const slope = (x1 - x0) / (y1 - y0)
  const within = (x: number): number => Math.min(columns, Math.max(0, x - left))
  for (let y = Math.max(top, Math.floor(y0)); y < Math.min(top + rows, y1); y++) {
    const from = Math.max(y, y0)
    const to = Math.min(y + 1, y1)
    const xa = within(x0 + (from - y0) * slope)
    const xb = within(x0 + (to - y0) * slope)
    step((y - top) * (columns + 2), Math.min(xa, xb), Math.max(xa, xb), (to - from) * sign)
  }
}

/** Part of a row with equal coverage; `to` is exclusive. */
export type PaintSpan = (y: number, from: number, to: number, share: number) => void

/** Merges pixels of a row with equal coverage. */
function paintRow (y: number, left: number, at: number, columns: number, paint: PaintSpan): void {
  let share = 0
  let from = 0
  for (let x = 1; x <= columns; x++) {
    if (x < columns && changes[at + x] === 0) continue
    share += changes[at + from] as number
    const part = Math.min(1, Math.abs(share))
    if (part > NONE) paint(y, left + from, left + x, part)
    from = x
  }
}

/** Calls `paint` for everything that an outline touches within the picture. */
export function coverage (points: readonly Point[], width: number, height: number, paint: PaintSpan): void {
  const area = areaOf(points, width, height)
  if (area === undefined) return
  const { left, top, columns, rows } = area
  const stride = columns + 2
  if (changes.length < stride * rows) changes = new Float32Array(stride * rows)
  let before = points[points.length - 1] as Point
  for (const point of points) {
    edge(area, before, point)
    before = point
  }
  for (let row = 0; row < rows; row++) paintRow(top + row, left, row * stride, columns, paint)
  changes.fill(0, 0, stride * rows)
}

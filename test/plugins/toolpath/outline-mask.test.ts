import t from 'tap'
import { pinholeCamera, placeInPicture, type Camera, type Point3 } from '../../../plugins/toolpath/outline/camera.js'
import { emptyOutline, LineMarker, type Outline, type OutlineKind } from '../../../plugins/toolpath/outline/height-map.js'
import { projectOutline } from '../../../plugins/toolpath/outline/project-outline.js'

const SIZE = { width: 640, height: 360 }

/** A box of cells, mm. */
function addBox (
  outline: Outline, kind: OutlineKind, [x, y, toX, toY]: readonly [number, number, number, number],
  bottom: number, top: number
): void {
  const marker = new LineMarker(outline)
  marker.begin(outline.kinds[kind], bottom, top)
  for (let row = y; row < toY; row++) {
    marker.line(x + 0.5, row + 0.5, toX - 0.5, row + 0.5)
  }
}

/** Pixels with a value. */
const countOf = (mask: Uint8Array, value: number): number => mask.reduce((sum, its) => sum + (its === value ? 1 : 0), 0)

function valueAt ({ mask }: { mask: Uint8Array }, camera: Camera, place: Point3): number {
  const [x, y] = placeInPicture(camera, place)!
  return mask[Math.floor(y) * SIZE.width + Math.floor(x)]!
}

/** A box of 20 × 10 mm, 30 mm high. */
function boxAt (x: number, y: number): Outline {
  const outline = emptyOutline([100, 80])
  addBox(outline, 'part', [x, y, x + 20, y + 10], 0, 30)
  return outline
}

t.test('from straight above, far away, the mask is the raster', async t => {
  const outline = emptyOutline([64, 36])
  for (const [x, y, top] of [[3, 4, 0.2], [3, 5, 12], [40, 20, 3], [63, 35, 1], [0, 0, 1]] as const) {
    addBox(outline, 'part', [x, y, x + 1, y + 1], 0, top)
  }
  // 10 px for each mm, from so far that heights do not matter
  const camera = pinholeCamera({ position: [32, 18, 1e7], target: [32, 18, 0], focalPx: 1e8 }, SIZE)
  const { mask, upperEdge } = projectOutline(outline, camera)
  const wrong = [...mask].filter((value, at) => {
    const [x, y] = [at % SIZE.width, Math.floor(at / SIZE.width)]
    const cell = (35 - Math.floor(y / 10)) * 64 + Math.floor(x / 10)
    return value !== (outline.kinds.part.tops[cell]! > 0 ? 1 : 0)
  })
  t.equal(wrong.length, 0)
  t.equal(countOf(mask, 1), 500)
  t.same([upperEdge[35], upperEdge[405], upperEdge[200]], [300, 150, -1])
})

t.test('an oblique camera sees the top and the sides, and nothing beyond', async t => {
  const camera = pinholeCamera({ position: [10, -90, 120], target: [50, 40, 10], focalPx: 420 }, SIZE)
  const seen = projectOutline(boxAt(40, 30), camera)
  for (const [place, value] of [
    [[50, 35, 29.9], 1], [[41, 31, 29], 1], [[50, 30.1, 1], 1], [[40.1, 35, 15], 1], [[59, 30.1, 29], 1],
    [[38, 35, 0], 0], [[50, 28, 0], 0], [[63, 34, 0], 0], [[36, 31, 30], 0], [[50, 35, 40], 0]
  ] as const) t.equal(valueAt(seen, camera, place), value, place.join(' '))
  const [column, row] = placeInPicture(camera, [50, 40, 30])!
  t.ok(Math.abs(seen.upperEdge[Math.floor(column)]! - row) <= 1, 'the upper edge is the rear edge of the top')
  // The silhouette of a box is the convex hull of its corners.
  const corners = [40, 60].flatMap(x => [30, 40].flatMap(y => [0, 30].map(z => placeInPicture(camera, [x, y, z])!)))
  const area = hullArea(corners)
  t.ok(Math.abs(countOf(seen.mask, 1) - area) < area * 0.02, `${countOf(seen.mask, 1)} of ${area} px`)
})

function hullArea (points: readonly (readonly [number, number])[]): number {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by)
  const half = (all: typeof sorted) => all.reduce<(readonly [number, number])[]>((hull, [x, y]) => {
    for (;;) {
      const [[ax, ay] = [0, 0], [bx, by] = [0, 0]] = [hull.at(-2), hull.at(-1)]
      if (hull.length < 2 || (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0) break
      hull.pop()
    }
    return [...hull, [x, y]]
  }, []).slice(0, -1)
  const hull = [...half(sorted), ...half([...sorted].reverse())]
  return Math.abs(hull.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = hull[(at + 1) % hull.length]!
    return sum + x * nextY - y * nextX
  }, 0)) / 2
}

t.test('what is under an overhang stays free', async t => {
  const outline = boxAt(40, 30)
  addBox(outline, 'part', [20, 30, 80, 40], 25, 30)
  const camera = pinholeCamera({ position: [50, -150, 60], target: [50, 35, 15], focalPx: 420 }, SIZE)
  const seen = projectOutline(outline, camera)
  for (const [x, z, value] of [[50, 10, 1], [30, 27, 1], [70, 27, 1], [30, 10, 0], [70, 20, 0]] as const) {
    t.equal(valueAt(seen, camera, [x, 30, z]), value, `${x} ${z}`)
  }
})

t.test('supports and the tower are told apart, hide the part, and can be left out', async t => {
  const outline = boxAt(40, 30)
  addBox(outline, 'tower', [40, 5, 60, 15], 0, 30)
  addBox(outline, 'support', [70, 30, 80, 40], 0, 30)
  const camera = pinholeCamera({ position: [50, -150, 40], target: [50, 35, 15], focalPx: 420 }, SIZE)
  const seen = projectOutline(outline, camera)
  t.equal(valueAt(seen, camera, [50, 5, 10]), 3)
  t.equal(valueAt(seen, camera, [75, 30, 10]), 2)
  const alone = projectOutline(outline, camera, { kinds: ['part'] })
  t.equal(countOf(alone.mask, 2) + countOf(alone.mask, 3), 0)
  t.ok(countOf(alone.mask, 1) > 5 * countOf(seen.mask, 1), 'the tower stands in front of it')
})

t.test('a part that reaches behind the camera or out of the picture is drawn as far as it is seen', async t => {
  const outline = emptyOutline([100, 80])
  addBox(outline, 'part', [0, 0, 100, 80], 0, 10)
  const camera = pinholeCamera({ position: [50, 20, 60], target: [50, 60, 10], focalPx: 200 }, SIZE)
  const seen = projectOutline(outline, camera)
  t.equal(valueAt(seen, camera, [50, 40, 10]), 1)
  t.equal(seen.mask[(SIZE.height - 1) * SIZE.width + 320], 1, 'at the lower edge')
  t.equal(seen.upperEdge[320]! > 0, true)
  const affine = { ...SIZE, projection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1] }
  t.equal(countOf(projectOutline(outline, affine).mask, 0), SIZE.width * SIZE.height, 'no pinhole')
})

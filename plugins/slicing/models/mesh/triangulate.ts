type Triangle = readonly [number, number, number]
type Point = readonly [u: number, v: number]

/** By Newell: of polygons that are not quite flat too. Its length is twice the area. */
function polygonNormal (polygon: readonly number[], positions: Float32Array): [number, number, number] {
  let [x, y, z] = [0, 0, 0]
  for (let i = 0; i < polygon.length; i++) {
    const a = polygon[i]! * 3
    const b = polygon[(i + 1) % polygon.length]! * 3
    x += (positions[a + 1]! - positions[b + 1]!) * (positions[a + 2]! + positions[b + 2]!)
    y += (positions[a + 2]! - positions[b + 2]!) * (positions[a]! + positions[b]!)
    z += (positions[a]! - positions[b]!) * (positions[a + 1]! + positions[b + 1]!)
  }
  return [x, y, z]
}

/** The polygon as seen along the axis that shows most of it, counter-clockwise. */
function flatten (polygon: readonly number[], positions: Float32Array): Point[] {
  const normal = polygonNormal(polygon, positions)
  const sizes = normal.map(Math.abs)
  const axis = sizes.indexOf(Math.max(...sizes))
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
  const sign = normal[axis]! < 0 ? -1 : 1
  return polygon.map(vertex => [positions[vertex * 3 + u]! * sign, positions[vertex * 3 + v]!])
}

const turn = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

const isWithin = (p: Point, a: Point, b: Point, c: Point): boolean =>
  turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1]

/**
 * Cuts a polygon into triangles that use its edges once each, by clipping ears. Polygons that cross themselves are cut
 * too, somehow, so that no hole stays.
 * @param polygon vertices, in order
 */
export function triangulate (polygon: readonly number[], positions: Float32Array): Triangle[] {
  const points = flatten(polygon, positions)
  const left = polygon.map((_, index) => index)
  const found: Triangle[] = []
  const corner = (at: number): number => left[(at + left.length) % left.length]!
  const isEar = (at: number): boolean => {
    const [ia, ib, ic] = [corner(at - 1), corner(at), corner(at + 1)]
    const [a, b, c] = [points[ia]!, points[ib]!, points[ic]!]
    if (turn(a, b, c) <= 0) return false
    return left.every(index => {
      const p = points[index]!
      return index === ia || index === ib || index === ic || isSame(p, a) || isSame(p, b) || isSame(p, c) ||
        !isWithin(p, a, b, c)
    })
  }
  let at = 0
  let hasEars = true
  while (left.length > 3) {
    let tries: number = hasEars ? 0 : left.length
    while (tries < left.length && !isEar(at % left.length)) { at++; tries++ }
    hasEars = tries < left.length // without an ear it crosses itself, and searching again would take long
    at %= left.length
    const [a, b, c] = [corner(at - 1), corner(at), corner(at + 1)]
    found.push([polygon[a]!, polygon[b]!, polygon[c]!])
    left.splice(at, 1)
    at++ // the next ear elsewhere, so that fans do not become slivers
  }
  found.push([polygon[left[0]!]!, polygon[left[1]!]!, polygon[left[2]!]!])
  return found
}

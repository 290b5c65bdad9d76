/** mm. */
type Corner = readonly [x: number, y: number, z: number]

/** A solid between two polygons of the same number of corners, as a text file of triangles. */
function solid (bottom: readonly Corner[], top: readonly Corner[]): string {
  const triangles: (readonly [Corner, Corner, Corner])[] = []
  const count = bottom.length
  for (let at = 0; at < count; at++) {
    const [a, b, c, d] = [bottom[at]!, bottom[(at + 1) % count]!, top[(at + 1) % count]!, top[at]!]
    triangles.push([a, b, c], [a, c, d])
    if (at > 1) triangles.push([bottom[0]!, bottom[at]!, bottom[at - 1]!], [top[0]!, top[at - 1]!, top[at]!])
  }
  const corners = (all: readonly Corner[]) => all.map(corner => `vertex ${corner.join(' ')}`).join('\n')
  return `solid part\n${triangles.map(triangle => `facet normal 0 0 0\nouter loop\n${corners(triangle)}\nendloop\nendfacet`)
    .join('\n')}\nendsolid part\n`
}
const round = (radius: number, z: number, corners: number): readonly Corner[] =>
  Array.from({ length: corners }, (_, at) =>
    [Math.cos(at / corners * 2 * Math.PI) * radius, Math.sin(at / corners * 2 * Math.PI) * radius, z])

/** Text files of triangles. */
export const PARTS = {
  box: solid([[0, 0, 0], [30, 0, 0], [30, 20, 0], [0, 20, 0]], [[0, 0, 10], [30, 0, 10], [30, 20, 10], [0, 20, 10]]),
  cone: solid(round(20, 0, 90), round(4, 25, 90)),
  funnel: solid(round(5, 0, 60), round(16, 12, 60)),
  bar: solid([[0, 0, 0], [120, 0, 0], [120, 6, 0], [0, 6, 0]], [[0, 0, 4], [120, 0, 4], [120, 6, 4], [0, 6, 4]])
}
export type PartName = keyof typeof PARTS

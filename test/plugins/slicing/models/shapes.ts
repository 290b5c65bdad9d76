import { writeZip } from '../../../../plugins/emulator/sample-sd-card/index.js'

export type Point = readonly [number, number, number]
export type Triangle = readonly [Point, Point, Point]

/** A box with its outside outside. */
export function block ([w, d, h]: Point, [x, y, z]: Point = [0, 0, 0]): Triangle[] {
  const corner = (i: number): Point => [x + (i & 1) * w, y + ((i >> 1) & 1) * d, z + ((i >> 2) & 1) * h]
  const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]] as const
  return sides.flatMap(([a, b, c, d]): Triangle[] => [
    [corner(a), corner(b), corner(c)], [corner(a), corner(c), corner(d)]
  ])
}

export const cube = (size = 20, at: Point = [0, 0, 0]): Triangle[] => block([size, size, size], at)

/** Two triangles for each step around and down, but one at the poles. */
export function sphere (radius: number, steps: number, at: Point = [0, 0, 0]): Triangle[] {
  const point = (i: number, j: number): Point => {
    const [around, down] = [2 * Math.PI * (i % steps) / steps, Math.PI * j / steps]
    const flat = j === 0 || j === steps ? 0 : Math.sin(down) * radius
    return [at[0] + Math.cos(around) * flat, at[1] + Math.sin(around) * flat, at[2] + Math.cos(down) * radius]
  }
  const found: Triangle[] = []
  for (let j = 0; j < steps; j++) {
    for (let i = 0; i < steps; i++) {
      if (j > 0) found.push([point(i, j), point(i, j + 1), point(i + 1, j)])
      if (j < steps - 1) found.push([point(i + 1, j), point(i, j + 1), point(i + 1, j + 1)])
    }
  }
  return found
}

export const turned = (triangles: readonly Triangle[]): Triangle[] => triangles.map(([a, b, c]) => [a, c, b])

export const scaledBy = (triangles: readonly Triangle[], factor: number): Triangle[] =>
  triangles.map(corners => corners.map(point => point.map(value => value * factor)) as unknown as Triangle)

export function binaryStl (triangles: readonly Triangle[], { header = 'made for a test', count = triangles.length } = {}): Buffer {
  const bytes = Buffer.alloc(84 + 50 * triangles.length)
  bytes.write(header, 0, 80, 'latin1')
  bytes.writeUInt32LE(count, 80)
  triangles.forEach((corners, index) => {
    corners.flat().forEach((value, i) => { bytes.writeFloatLE(value, 84 + 50 * index + 12 + 4 * i) })
  })
  return bytes
}

const facet = (corners: Triangle): string =>
  `facet normal 0 0 0\n outer loop\n${corners.map(point => `  vertex ${point.join(' ')}\n`).join('')} endloop\nendfacet\n`

export const textStl = (...solids: (readonly Triangle[])[]): string =>
  solids.map((triangles, i) => `solid part${i + 1}\n${triangles.map(facet).join('')}endsolid part${i + 1}\n`).join('')

/** With shared corners. */
function indexed (triangles: readonly Triangle[]): { points: Point[], faces: number[][] } {
  const points: Point[] = []
  const known = new Map<string, number>()
  const faces = triangles.map(corners => corners.map(point => {
    const index = known.get(point.join()) ?? points.push(point) - 1
    known.set(point.join(), index)
    return index
  }))
  return { points, faces }
}

export function objText (triangles: readonly Triangle[]): string {
  const { points, faces } = indexed(triangles)
  return `# made for a test\n${points.map(point => `v ${point.join(' ')}\n`).join('')}` +
    faces.map(face => `f ${face.map(index => index + 1).join(' ')}\n`).join('')
}

export function meshXml (triangles: readonly Triangle[]): string {
  const { points, faces } = indexed(triangles)
  return `<mesh><vertices>${points.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('')}</vertices>` +
    `<triangles>${faces.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('')}</triangles></mesh>`
}

export const objectXml = (id: number, content: string, more = ''): string => `<object id="${id}" ${more}>${content}</object>`

export const modelXml = (objects: string, items: string, more = 'unit="millimeter"'): string =>
  `<?xml version="1.0" encoding="UTF-8"?><model ${more} xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">` +
  `<resources>${objects}</resources><build>${items}</build></model>`

export const RELATIONS = '<Relationships><Relationship Id="r" Target="/3D/3dmodel.model" ' +
  'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'

/** An archive with these entries beside those that each has. */
export const archive = (entries: Readonly<Record<string, string>>): Buffer =>
  writeZip(Object.entries({ '_rels/.rels': RELATIONS, ...entries }).map(([name, content]) =>
    ({ name, content: Buffer.from(content) })))

export const threeMf = (model: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  archive({ '3D/3dmodel.model': model, ...more })

export const simple3mf = (triangles: readonly Triangle[], more?: string): Buffer =>
  threeMf(modelXml(objectXml(1, meshXml(triangles)), '<item objectid="1"/>', more))

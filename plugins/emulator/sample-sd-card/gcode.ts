import type { Material, Placed, PlateScene, Target } from './scene.js'
import { place } from './scene.js'

const LAYER_MM = 0.2
const SECONDS = 60
/** g/cm³ and mm. */
const DENSITY = 1.24
const DIAMETER = 1.75
const FILAMENT_MM2 = Math.PI * (DIAMETER / 2) ** 2
/** mm between two walls, and from one line of infill to the next. */
const WALL_MM = 0.45
const INFILL_LINES = 4

function duration (minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  return hours > 0 ? `${hours}h ${rest}m 0s` : `${rest}m 0s`
}

const listOf = (materials: readonly Material[], key: 'type' | 'color'): string =>
  materials.map(material => material[key]).join(';')

function header (
  scene: PlateScene, ids: readonly number[], materials: readonly Material[], grams: readonly number[]
): string[] {
  const each = (value: number) => materials.map(() => value).join(',')
  return [
    '; HEADER_BLOCK_START',
    '; BambuStudio 02.01.01.52',
    `; model printing time: ${duration(scene.minutes)}; total estimated time: ${duration(scene.minutes + 6)}`,
    `; total layer number: ${scene.layers}`,
    `; total filament weight [g] : ${grams.map(value => value.toFixed(2)).join(',')}`,
    `; model label id: ${ids.join(',')}`,
    `; filament_density: ${each(DENSITY)}`,
    `; filament_diameter: ${each(DIAMETER)}`,
    `; max_z_height: ${(scene.layers * LAYER_MM).toFixed(2)}`,
    `; filament: ${scene.filaments.join(',')}`,
    '; HEADER_BLOCK_END'
  ]
}

function config (materials: readonly Material[], { product, extruders }: Target): string[] {
  const axes = (name: string, values: readonly number[]) =>
    ['x', 'y', 'z', 'e'].map((axis, at) => `; machine_max_${name}_${axis} = ${values[at]},${values[at]}`)
  return [
    '; CONFIG_BLOCK_START',
    `; filament_colour = ${listOf(materials, 'color')}`,
    `; filament_type = ${listOf(materials, 'type')}`,
    `; layer_height = ${LAYER_MM}`,
    ...axes('acceleration', [20_000, 20_000, 500, 5_000]),
    ...axes('jerk', [9, 9, 3, 2.5]),
    ...axes('speed', [500, 500, 20, 30]),
    `; nozzle_diameter = ${extruders === 2 ? '0.4,0.4' : '0.4'}`,
    `; physical_extruder_map = ${extruders === 2 ? '1,0' : '0'}`,
    `; printer_model = ${product}`,
    '; CONFIG_BLOCK_END'
  ]
}

/** A move that extrudes: where it ends, how long it is, and the middle of an arc seen from its beginning. */
interface Stroke { readonly x: number, readonly y: number, readonly length: number, readonly i?: number }

interface Path { readonly feature: string, readonly x: number, readonly y: number, readonly strokes: readonly Stroke[] }

function wall (feature: string, { shape, bounds: [x0, y0, x1, y1] }: Placed, inset: number): Path {
  const [left, front, right, back] = [x0 + inset, y0 + inset, x1 - inset, y1 - inset]
  const [width, depth] = [right - left, back - front]
  if (shape === 'round') {
    const half = { y: (front + back) / 2, length: Math.PI * width / 2 }
    return {
      feature, x: left, y: half.y, strokes: [{ ...half, x: right, i: width / 2 }, { ...half, x: left, i: -width / 2 }]
    }
  }
  return {
    feature,
    x: left,
    y: front,
    strokes: [
      { x: right, y: front, length: width }, { x: right, y: back, length: depth },
      { x: left, y: back, length: width }, { x: left, y: front, length: depth }
    ]
  }
}

/** Lines across an object, along x or y in turn. */
function infill ({ shape, bounds: [x0, y0, x1, y1] }: Placed, layer: number): Path[] {
  const share = shape === 'round' ? 0.7 : 1 // the square within a circle
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2]
  const [halfX, halfY] = [((x1 - x0) / 2 - 2 * WALL_MM) * share, ((y1 - y0) / 2 - 2 * WALL_MM) * share]
  return Array.from({ length: INFILL_LINES }, (_, line) => {
    const offset = 2 * (line + 0.5) / INFILL_LINES - 1
    const feature = layer === 1 ? 'Bottom surface' : 'Sparse infill'
    const [x, y] = [middleX + offset * halfX, middleY + offset * halfY]
    return layer % 2 === 0
      ? { feature, x: middleX - halfX, y, strokes: [{ x: middleX + halfX, y, length: 2 * halfX }] }
      : { feature, x, y: middleY - halfY, strokes: [{ x, y: middleY + halfY, length: 2 * halfY }] }
  })
}

const pathsOf = (thing: Placed, layer: number): Path[] =>
  [wall('Outer wall', thing, WALL_MM / 2), wall('Inner wall', thing, 1.5 * WALL_MM), ...infill(thing, layer)]

/** @param rate mm of filament on each mm @param speed mm/min */
function linesOf ({ feature, x, y, strokes }: Path, rate: number, speed: number): string[] {
  const at = (value: number) => String(Math.round(value * 1_000) / 1_000)
  return [
    `; FEATURE: ${feature}`,
    `G1 X${at(x)} Y${at(y)} F30000`,
    ...strokes.map(({ x, y, i, length }) =>
      `${i === undefined ? 'G1' : 'G3'} X${at(x)} Y${at(y)}${i === undefined ? '' : ` I${at(i)} J0`} ` +
      `E${(length * rate).toFixed(5)} F${speed}`)
  ]
}

/** Objects in a layer: each as long as it is high, in parts of the highest. */
function layersOf ({ layers }: PlateScene, things: readonly Placed[]): readonly (readonly Placed[])[] {
  const highest = Math.max(...things.map(({ height }) => height))
  const isIn = (layer: number) => ({ height }: Placed) => layer <= Math.ceil(height / highest * layers)
  return Array.from({ length: layers }, (_, at) => things.filter(isIn(at + 1)))
}

const changeTo = (tool: number): string[] => [`M620 S${tool}A`, `T${tool}`, `M621 S${tool}A`]

interface Layer { readonly thing: Placed, readonly paths: readonly Path[] }

/** Writes layers, and changes the filament where an object is made of another one. */
function bodyOf (scene: PlateScene, layers: readonly (readonly Layer[])[], rate: number, speed: number): string[] {
  let tool: number | undefined
  return layers.flatMap((objects, at) => [
    '; CHANGE_LAYER',
    `; Z_HEIGHT: ${((at + 1) * LAYER_MM).toFixed(2)}`,
    `G1 Z${((at + 1) * LAYER_MM).toFixed(2)} F1200`,
    `M73 L${at + 1}`,
    `M73 P${Math.round(100 * at / scene.layers)} R${Math.ceil(scene.minutes * (1 - at / scene.layers))}`,
    ...objects.flatMap(({ thing: { id, filament }, paths }) => {
      const change = filament - 1 === tool ? [] : changeTo(filament - 1)
      tool = filament - 1
      return [
        ...change,
        `; start printing object, unique label id: ${id}`,
        ...paths.flatMap(path => linesOf(path, rate, speed)),
        `; stop printing object, unique label id: ${id}`
      ]
    })
  ])
}

/** Walls and a few lines of infill, which take as long and as much filament as their header says. */
export function toolpathGcode (scene: PlateScene, target: Target, materials: readonly Material[]): string {
  const things = place(scene, target.bed)
  const layers = layersOf(scene, things).map((objects, at) =>
    objects.map(thing => ({ thing, paths: pathsOf(thing, at + 1) })))
  const lengthOf = (objects: readonly Layer[]) => objects.flatMap(({ paths }) => paths)
    .flatMap(({ strokes }) => strokes).reduce((sum, stroke) => sum + stroke.length, 0)
  const length = lengthOf(layers.flat())
  const grams = scene.filaments.map(id =>
    scene.grams / length * lengthOf(layers.flat().filter(({ thing: { filament } }) => filament === id)))
  const rate = scene.grams / DENSITY * 1_000 / FILAMENT_MM2 / length
  return [
    ...header(scene, things.map(({ id }) => id), materials, grams), '', ...config(materials, target), '',
    '; EXECUTABLE_BLOCK_START', `M73 P0 R${scene.minutes}`, 'M140 S60', 'M104 S220', 'G28', 'G90', 'M83', 'M190 S60',
    'M109 S220', ...bodyOf(scene, layers, rate, Math.ceil(length / scene.minutes)),
    'M73 P100 R0', 'M104 S0', 'M140 S0', '; EXECUTABLE_BLOCK_END', ''
  ].join('\n')
}

export const secondsOf = ({ minutes }: PlateScene): number => minutes * SECONDS

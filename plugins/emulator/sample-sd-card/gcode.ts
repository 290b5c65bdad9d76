import type { Material, PlateScene, Target } from './scene.js'
import { place } from './scene.js'

const LAYER_MM = 0.2
/** Only the first layers are written, because a job takes its length from the header. */
const WRITTEN_LAYERS = 3
const SECONDS = 60

function duration (minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  return hours > 0 ? `${hours}h ${rest}m 0s` : `${rest}m 0s`
}

const listOf = (materials: readonly Material[], key: 'type' | 'color'): string =>
  materials.map(material => material[key]).join(';')

function header (scene: PlateScene, ids: readonly number[]): string[] {
  return [
    '; HEADER_BLOCK_START',
    '; BambuStudio 02.01.01.52',
    `; model printing time: ${duration(scene.minutes)}; total estimated time: ${duration(scene.minutes + 6)}`,
    `; total layer number: ${scene.layers}`,
    `; total filament weight [g] : ${scene.grams.toFixed(2)}`,
    `; model label id: ${ids.join(',')}`,
    `; max_z_height: ${(scene.layers * LAYER_MM).toFixed(2)}`,
    `; filament: ${scene.filaments.join(',')}`,
    '; HEADER_BLOCK_END'
  ]
}

function config (materials: readonly Material[], { product, extruders }: Target): string[] {
  return [
    '; CONFIG_BLOCK_START',
    `; filament_colour = ${listOf(materials, 'color')}`,
    `; filament_type = ${listOf(materials, 'type')}`,
    `; layer_height = ${LAYER_MM}`,
    `; nozzle_diameter = ${extruders === 2 ? '0.4,0.4' : '0.4'}`,
    `; physical_extruder_map = ${extruders === 2 ? '1,0' : '0'}`,
    `; printer_model = ${product}`,
    '; CONFIG_BLOCK_END'
  ]
}

function layer (number: number, things: ReturnType<typeof place>): string[] {
  const outlines = things.map(({ id, bounds: [x0, y0, x1, y1] }) => [
    `; start printing object, unique label id: ${id}`,
    `G1 X${x0} Y${y0} F18000`, `G1 X${x1} Y${y0} E1.2 F3600`, `G1 X${x1} Y${y1} E1.2`,
    `G1 X${x0} Y${y1} E1.2`, `G1 X${x0} Y${y0} E1.2`,
    `; stop printing object, unique label id: ${id}`
  ])
  return ['; CHANGE_LAYER', `; Z_HEIGHT: ${((number + 1) * LAYER_MM).toFixed(2)}`, `M73 L${number + 1}`, ...outlines.flat()]
}

/** Toolpaths that begin like real ones and end early. */
export function toolpathGcode (scene: PlateScene, target: Target, materials: readonly Material[]): string {
  const things = place(scene, target.bed)
  const layers = Array.from({ length: WRITTEN_LAYERS }, (_, number) => layer(number, things))
  return [
    ...header(scene, things.map(({ id }) => id)), '', ...config(materials, target), '',
    '; EXECUTABLE_BLOCK_START', `M73 P0 R${scene.minutes}`, 'M140 S60', 'M104 S220', 'G28',
    ...layers.flat(), 'M104 S0', 'M140 S0', '; EXECUTABLE_BLOCK_END', ''
  ].join('\n')
}

export const secondsOf = ({ minutes }: PlateScene): number => minutes * SECONDS

import { excludedOf, type Rectangle } from '../excluded-areas.js'
import type { SlicingTarget } from '../types.js'

/** What the start and end code of the built-in profiles do, for the person who accepts them. */
export const WHAT_IT_DOES = 'It heats the bed and homes all axes with a warm nozzle, levels the bed (G29), loads the ' +
  'chosen filament (M620, T0, M621), heats the nozzle, and lays three lines of filament along the front edge. At the ' +
  'end it switches the heaters and fans off, lowers the bed and parks the nozzle at the back. ' +
  'It was tried on virtual printers only, never on a real one: stay with the printer for the first prints'

export interface Temperatures {
  /** °C of the first layer. */
  readonly nozzleC: number
  readonly bedC: number
}

/** °C at which filament does not ooze yet, but the nozzle's tip is soft enough to touch the bed. */
const HOMING_C = 140
const TRAVEL_F = 12_000
const PRIME_Y = 3
/** mm of filament: what is between the cutter and the tip of the nozzle, and some more. */
const PRIME_MM = 25
/** mm/min along a line of 120 mm: about 5 mm³/s. */
const PRIME_F = 600
const LINE_MM = 120

/** mm; beside what is excluded at the front. */
function lineStart ({ model }: Pick<SlicingTarget, 'model'>): number {
  const atFront = excludedOf(model).filter(({ minX, minY }) => minX === 0 && minY === 0)
  return Math.max(20, ...atFront.map(({ maxX }) => maxX + 5))
}

/** mm around the lines of filament at the front, on which no model may lie. */
const PRIME_MARGIN = 3

/** Where the start code lays its lines of filament. */
export function primeArea (target: Pick<SlicingTarget, 'model'>): Rectangle {
  const from = lineStart(target)
  return { minX: from - PRIME_MARGIN, minY: 0, maxX: from + LINE_MM + PRIME_MARGIN, maxY: PRIME_Y + 4 + PRIME_MARGIN }
}

/** Start code of our own, from commands that are documented in public. It is the same for all models. */
export function startCode (target: SlicingTarget, { nozzleC, bedC }: Temperatures): readonly string[] {
  const from = lineStart(target)
  const to = from + LINE_MM
  const line = (x: number, filament: number) => `G1 X${x} E${filament} F${PRIME_F}`
  return [
    'M73 P0',
    'G90',
    'M83',
    `M140 S${bedC}`,
    `M104 S${HOMING_C}`,
    'M107',
    'G28',
    `M190 S${bedC}`,
    'G29',
    `M104 S${nozzleC}`,
    'G1 Z10 F1200',
    `G1 X${from} Y${PRIME_Y} F${TRAVEL_F}`,
    'M620 S0A',
    `M109 S${nozzleC}`,
    'T0',
    'M621 S0A',
    `M109 S${nozzleC}`,
    'G92 E0',
    `G1 X${from} Y${PRIME_Y} F${TRAVEL_F}`,
    'G1 Z0.8 F1200',
    line(to, PRIME_MM),
    `G1 Y${PRIME_Y + 2} F${PRIME_F}`,
    line(from, PRIME_MM),
    `G1 Y${PRIME_Y + 4} F${PRIME_F}`,
    'G1 Z0.3 F1200',
    line(to, LINE_MM / 20),
    'G1 E-0.8 F1800',
    'G1 Z2 F1200',
    'G92 E0'
  ]
}

/** End code of our own. `{max_layer_z}` is filled in by the slicer. */
export function endCode ({ model }: SlicingTarget): readonly string[] {
  const [width, depth, height] = model.bedMm
  const from = lineStart({ model })
  return [
    'M400',
    'G92 E0',
    'G1 E-2 F1800',
    `G1 Z{min(max_layer_z + 20, ${height - 1})} F900`,
    'M104 S0',
    'M140 S0',
    'M106 S0',
    ...model.auxFan ? ['M106 P2 S0'] : [],
    ...model.chamberFan ? ['M106 P3 S0'] : [],
    `G1 X${Math.min(from + 20, width / 2)} Y${depth - 10} F${TRAVEL_F}`,
    'M400',
    'M84 X Y E',
    'M73 P100 R0'
  ]
}

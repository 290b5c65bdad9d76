import type { ModelInfo } from '../../../../core/printer/model-info.js'
import { endCode, startCode, type Family } from './start-code.js'

// Plates as the printers' own slicer writes them: the same blocks, marks and orders, with parts of simple shapes.

export interface VendorPlate {
  readonly model: ModelInfo
  readonly nozzle?: number
  readonly layers?: number
  readonly filaments?: number
  /** What else the plate has. */
  readonly with?: readonly ('tower' | 'arcs' | 'spiral' | 'by_object' | 'timelapse' | 'flush_into_infill' | 'brim' |
    'support' | 'ironing')[]
}

const familyOf = ({ model }: ModelInfo): Family =>
  /^(X1|P1)/.test(model) ? 'cube' : /^A/.test(model) ? 'a1' : 'h2'

const number = (value: number): string => String(Math.round(value * 1_000) / 1_000)
const FILAMENT_AREA = Math.PI * (1.75 / 2) ** 2
const DENSITY = 1.24
const FLOW = 21

interface Box { readonly x: number, readonly y: number, readonly width: number, readonly depth: number }

/** Writes one plate, and counts what its header has to say. */
class Writer {
  readonly lines: string[] = []
  readonly #plate: Required<VendorPlate>
  readonly #family: Family
  readonly #isTwoNozzles: boolean
  readonly #height: number
  readonly #width: number
  readonly grams: number[] = []
  #tool = 0

  constructor (plate: Required<VendorPlate>) {
    this.#plate = plate
    this.#family = familyOf(plate.model)
    this.#isTwoNozzles = plate.model.extruders === 2
    this.#height = plate.nozzle / 2
    this.#width = plate.nozzle * 1.05
  }

  #has (what: Required<VendorPlate>['with'][number]): boolean { return this.#plate.with.includes(what) }
  #say (...lines: readonly string[]): void { for (const line of lines) this.lines.push(line) }

  body (): void {
    this.#say('; EXECUTABLE_BLOCK_START', 'M73 P0 R20', 'M201 X20000 Y20000 Z500 E5000', 'M203 X500 Y500 Z20 E30',
      'M204 P20000 R5000 T20000', 'M205 X9.00 Y9.00 Z3.00 E2.50', '; FEATURE: Custom')
    this.#say(...startCode(this.#family))
    this.#say('; MACHINE_START_GCODE_END', '; filament start gcode', ';VT0', 'G90', 'G21',
      'M83 ; use relative distances for extrusion', 'M981 S1 P20000 ;open spaghetti detector')
    if (this.#has('by_object')) {
      for (const part of this.#parts().entries()) this.#layers([part], part[0] * this.#plate.layers)
    } else this.#layers([...this.#parts().entries()], 0)
    this.#say(...endCode(this.#plate.model.bedMm))
    this.#say('M73 P100 R0', '; EXECUTABLE_BLOCK_END', '')
  }

  /** In the corners and the middle of what the printer reaches; one part for each filament, at least two. */
  #parts (): readonly Box[] {
    const [width, depth] = this.#plate.model.bedMm
    const margin = this.#width / 2
    const strip = this.#isTwoNozzles ? 25 : 0
    const size = 12
    return [
      { x: strip + margin, y: depth - size - margin, width: size, depth: size },
      { x: width - strip - size - margin, y: depth - size - margin, width: size, depth: size },
      { x: width / 2, y: depth / 2, width: size * 1.5, depth: size },
      { x: width - strip - size - margin, y: margin, width: size, depth: size }
    ]
  }

  #layers (parts: readonly (readonly [number, Box])[], before: number): void {
    const { layers } = this.#plate
    const total = layers * (this.#has('by_object') ? this.#parts().length : 1)
    for (let layer = 1; layer <= layers; layer++) {
      const z = layer * this.#height
      const at = before + layer
      this.#say('; CHANGE_LAYER', `; Z_HEIGHT: ${number(z)}`, `; LAYER_HEIGHT: ${number(this.#height)}`)
      this.#extrude('G1 E-.8 F1800', -0.8)
      this.#say(`; layer num/total_layer_count: ${at}/${total}`, '; update layer progress', `M73 L${at}`,
        `M73 P${Math.round(at / total * 99)} R${Math.round((total - at) / 10)}`, 'M991 S0 P0 ;notify layer change',
        `M106 S${layer === 1 ? 0 : 204}`)
      if (this.#has('timelapse')) this.#timelapse(z)
      for (const [index, part] of parts) {
        const tool = index % this.#plate.filaments
        if (tool !== this.#tool) this.#change(tool, z, part)
        this.#part(index, part, z, layer)
      }
      if (layer === 1) this.#say('M104 S220 ; set nozzle temperature', 'M140 S60')
    }
  }

  #part (index: number, box: Box, z: number, layer: number): void {
    const id = 80 + index * 11
    this.#say(`; OBJECT_ID: ${id}`, `; start printing object, unique label id: ${id}`, 'M624 AQAAAAAAAAA=')
    const first = layer === 1
    this.#travel(box.x, box.y, z)
    this.#extrude('G1 E.8 F1800', 0.8)
    if (first && this.#has('brim')) this.#loop('Brim', box, z, -this.#width * 0, 1_800)
    if (this.#has('support') && index === 2) this.#loop('Support', { ...box, x: box.x - 20 }, z, 0, 4_800)
    this.#loop('Inner wall', box, z, this.#width, first ? 3_000 : 9_000)
    this.#loop('Outer wall', box, z, 0, first ? 2_400 : 7_200)
    if (this.#has('spiral') && layer > 2) return this.#afterPart(id, box)
    if (this.#has('flush_into_infill') && index === 1) this.#say('; SKIPTYPE: flush into infill')
    this.#infill(first ? 'Bottom surface' : layer === this.#plate.layers ? 'Top surface' : 'Sparse infill', box, z)
    if (this.#has('ironing') && layer === this.#plate.layers) {
      this.#say('; FEATURE: Ironing', 'G1 F1800')
      this.#line(box.x + 2, box.y + 2, box.x + 8, box.y + 2, z, 0.1)
    }
    this.#afterPart(id, box)
  }

  #afterPart (id: number, { x, y }: Box): void {
    this.#say('; WIPE_START', 'G1 F24000', `G1 X${number(x + 1)} Y${number(y)}`)
    this.#extrude(`G1 X${number(x)} Y${number(y)} E-.76`, -0.76)
    this.#say('; WIPE_END')
    this.#extrude('G1 E-.04 F1800', -0.04)
    this.#say(`; stop printing object, unique label id: ${id}`, 'M625')
  }

  #loop (feature: string, box: Box, z: number, inset: number, speed: number): void {
    const [x, y] = [box.x + inset, box.y + inset]
    const [toX, toY] = [box.x + box.width - inset, box.y + box.depth - inset]
    this.#say(`; FEATURE: ${feature}`, `; LINE_WIDTH: ${number(this.#width)}`)
    this.#travel(x, y, z)
    this.#say(`G1 F${speed}`, 'M204 S5000')
    if (this.#has('arcs')) this.#round(x, y, toX, toY)
    else {
      this.#line(x, y, toX, y, z)
      this.#line(toX, y, toX, toY, z)
      this.#line(toX, toY, x, toY, z)
      this.#line(x, toY, x, y, z)
    }
  }

  /** The same loop with one round corner. */
  #round (x: number, y: number, toX: number, toY: number): void {
    const r = 3
    const along = (length: number) => this.#filament(length)
    this.#extrudeTo(`X${number(toX - r)} Y${number(y)}`, along(toX - r - x))
    const arc = along(r * Math.PI / 2)
    this.#extrude(`G3 X${number(toX)} Y${number(y + r)} I0 J${r} E${arc}`, arc)
    this.#extrudeTo(`X${number(toX)} Y${number(toY)}`, along(toY - y - r))
    this.#extrudeTo(`X${number(x)} Y${number(toY)}`, along(toX - x))
    this.#extrudeTo(`X${number(x)} Y${number(y)}`, along(toY - y))
  }

  #infill (feature: string, { x, y, width, depth }: Box, z: number): void {
    this.#say(`; FEATURE: ${feature}`, 'G1 F7200')
    const inset = 2 * this.#width
    for (let at = y + inset; at < y + depth - inset; at += 4) {
      this.#travel(x + inset, at, z)
      this.#say('G1 F7200')
      this.#line(x + inset, at, x + width - inset, at, z)
    }
  }

  #travel (x: number, y: number, z: number): void {
    this.#say('M204 S10000', `G1 X${number(x)} Y${number(y)} F30000`, `G1 Z${number(z)}`)
  }

  #line (fromX: number, fromY: number, toX: number, toY: number, _z: number, share = 1): void {
    this.#extrudeTo(`X${number(toX)} Y${number(toY)}`, this.#filament(Math.hypot(toX - fromX, toY - fromY) * share))
  }

  #filament (length: number): number {
    return Math.round(length * this.#width * this.#height / FILAMENT_AREA * 100_000) / 100_000
  }

  #extrudeTo (where: string, filament: number): void { this.#extrude(`G1 ${where} E${filament}`, filament) }

  #extrude (line: string, millimetres: number): void {
    this.lines.push(line)
    this.grams[this.#tool] = (this.grams[this.#tool] ?? 0) + millimetres * FILAMENT_AREA / 1_000 * DENSITY
  }

  #timelapse (z: number): void {
    this.#say('; SKIPPABLE_START', '; SKIPTYPE: timelapse', 'M622.1 S1 ; for prev firmware, default turned on',
      'M1002 judge_flag timelapse_record_flag', 'M622 J1', 'G92 E0', `G1 Z${number(z + 0.4)}`)
    if (this.#family === 'a1') this.#say('G1 X0 Y90 F18000', 'G1 X-48.2 F3000', 'M400', 'M1004 S5 P1', 'G1 X0 F18000')
    else this.#say('G1 X65 Y245 F20000', 'G1 Y265 F3000', 'M400 P300')
    this.#say('M971 S11 C11 O0', 'G92 E0', 'M623', '; SKIPPABLE_END')
  }

  /** The filament is cut, the next one is drawn in and flushed beside the bed. */
  #change (tool: number, z: number, tower: Box): void {
    const before = this.#tool
    this.#say('; CP TOOLCHANGE START', `; toolchange #${tool}`, `M620 S${tool}A`, 'M204 S9000', `G1 Z${number(z + 3)} F1200`)
    if (this.#family === 'h2') this.#changeByPrinter(tool)
    else this.#changeByFile(tool, before)
    this.#tool = tool
    this.#say(`M621 S${tool}A`, 'M104 S220')
    if (this.#family === 'h2') this.#say(`M620.6 I${tool} W1`, 'M620 Q2')
    if (!this.#has('tower')) return
    const [width, depth] = this.#plate.model.bedMm
    this.#loop('Prime tower', { ...tower, x: width / 2 - 20, y: depth / 2 - 40, width: 15, depth: 15 }, z, 0, 4_800)
    this.#say('; CP TOOLCHANGE WIPE')
  }

  #changeByFile (tool: number, before: number): void {
    if (this.#family === 'a1') this.#say('G1 X180 F18000', 'M400')
    else this.#say('G1 X20 Y50 F21000', 'G1 Y-3')
    this.#say('M620.1 E F299.339 T240', `T${tool}`, 'M620.1 E F299.339 T240')
    if (this.#family === 'a1') this.#say('G1 X-48.2 F3000')
    else this.#say('G1 X54 F12000', 'G1 Y265')
    this.#say('G92 E0', '; FLUSH_START', 'M400', 'M109 S240')
    this.#tool = tool
    this.#extrude('G1 E23.7 F299', 23.7)
    this.#extrude('G1 E40.5 F299', 40.5)
    this.#say('; FLUSH_END', 'M106 P1 S255', 'M400 S3', before < tool ? 'G1 X70 F10000' : 'G1 X76 F10000')
    this.#extrude('G1 E-2 F1800', -2)
    this.#extrude('G1 E2 F1800', 2)
  }

  /** These printers flush by themselves; the file only counts it. */
  #changeByPrinter (tool: number): void {
    this.#say('M620.10 A0 F299 L60 H0.4 T240 P220 S1', 'M620.10 A1 F299 L60 H0.4 T240 P220 S1', `T${tool} H-1`)
    this.#tool = tool
    this.#say('; VFLUSH_START')
    this.#extrude(';VG1 E41.5 F299', 41.5)
    this.#extrude(';VG1 E18.5 F299', 18.5)
    this.#say('SYNC T5', '; VFLUSH_END', 'M400', 'M83', 'M983.3 F8.3 A0.4', 'G1 Y295 F30000', 'G1 Y265 F18000')
  }

  config (): readonly string[] {
    const { model, nozzle, filaments } = this.#plate
    const [width, depth, height] = model.bedMm
    const each = (value: string | number, by = ',') => Array<string | number>(filaments).fill(value).join(by)
    return [
      '; CONFIG_BLOCK_START', `; bed_exclude_area = ${this.#family === 'cube' ? '0x0,18x0,18x28,0x28' : ''}`,
      '; change_filament_gcode = M620 S[next_extruder]A\\nM204 S9000', '; curr_bed_type = Textured PEI Plate',
      ...this.#isTwoNozzles
        ? [`; extruder_printable_area = 0x0,${width - 25}x0,${width - 25}x${depth},0x${depth}#` +
            `25x0,${width}x0,${width}x${depth},25x${depth}`, `; extruder_printable_height = ${height - 5},${height}`]
        : ['; extruder_printable_area = '],
      `; filament_diameter = ${each(1.75)}`, `; filament_map = ${Array.from({ length: filaments }, (_, at) => at % 2 + 1).join(',')}`,
      `; filament_max_volumetric_speed = ${each(FLOW)}`, `; filament_type = ${each('PLA', ';')}`,
      ...['x', 'y', 'z', 'e'].flatMap((axis, at) => [
        `; machine_max_acceleration_${axis} = ${[20_000, 20_000, 500, 5_000][at]},${[20_000, 20_000, 500, 5_000][at]}`,
        `; machine_max_jerk_${axis} = ${[9, 9, 3, 2.5][at]},${[9, 9, 3, 2.5][at]}`,
        `; machine_max_speed_${axis} = ${[500, 500, 20, 30][at]},${[500, 500, 20, 30][at]}`
      ]),
      '; machine_load_filament_time = 29', '; machine_prepare_compensation_time = 260',
      '; machine_switch_extruder_time = 5.6', '; machine_unload_filament_time = 28',
      `; nozzle_diameter = ${model.extruders === 2 ? `${nozzle},${nozzle}` : nozzle}`, `; nozzle_temperature = ${each(220)}`,
      `; nozzle_temperature_range_high = ${each(240)}`, `; nozzle_temperature_range_low = ${each(190)}`,
      `; print_sequence = ${this.#has('by_object') ? 'by object' : 'by layer'}`,
      `; printable_area = 0x0,${width}x0,${width}x${depth},0x${depth}`, `; printable_height = ${height}`,
      `; printer_model = ${model.name}`, `; spiral_mode = ${Number(this.#has('spiral'))}`, '; CONFIG_BLOCK_END', ''
    ]
  }

  header (seconds: number): readonly string[] {
    const used = [...this.grams.keys()].filter(tool => (this.grams[tool] ?? 0) > 0)
    const each = (value: number) => used.map(() => value).join(',')
    const { layers, filaments } = this.#plate
    const total = layers * (this.#has('by_object') ? this.#parts().length : 1)
    return [
      '; HEADER_BLOCK_START', '; BambuStudio 02.04.00.70',
      `; model printing time: ${Math.round(seconds)}s; total estimated time: ${Math.round(seconds / 60) + 7}m 0s`,
      `; total layer number: ${total}`, `; total filament weight [g] : ${used.map(tool => this.grams[tool]!.toFixed(2)).join(',')}`,
      `; filament_density: ${Array<number>(filaments).fill(DENSITY).join(',')}`, `; filament_diameter: ${each(1.75)}`,
      `; max_z_height: ${number(layers * this.#height)}`, `; filament: ${used.map(tool => tool + 1).join(',')}`,
      '; HEADER_BLOCK_END', ''
    ]
  }
}

/** A plate as lines. @param secondsOf times the body, for the header */
export function vendorPlate (plate: VendorPlate, secondsOf: (lines: readonly string[]) => number): readonly string[] {
  const writer = new Writer({ nozzle: 0.4, layers: 12, filaments: 1, with: [], ...plate })
  writer.body()
  const rest = [...writer.config(), ...writer.lines]
  return [...writer.header(secondsOf(rest)), ...rest]
}

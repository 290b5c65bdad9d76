/** As much of a sliced plate as its readers need: two objects beside each other, the second half as high. */
export function plateText ({ layers = 10, settings = 'first', acceleration = 10_000, startC = 220 }: {
  readonly layers?: number
  readonly settings?: 'first' | 'last'
  readonly acceleration?: number
  readonly startC?: number
} = {}): string {
  const axes = (name: string, values: readonly number[]) =>
    ['x', 'y', 'z', 'e'].map((axis, at) => `; machine_max_${name}_${axis} = ${values[at]},${values[at]}`)
  const config = [
    '; CONFIG_BLOCK_START',
    ...axes('speed', [500, 500, 20, 30]),
    ...axes('acceleration', [acceleration, acceleration, 500, 5_000]),
    ...axes('jerk', [9, 9, 3, 2.5]),
    '; filament_type = PLA;PETG',
    '; nozzle_temperature_range_low = 190,220',
    '; filament_max_volumetric_speed = 30,30',
    '; printable_area = 0x0,256x0,256x256,0x256',
    '; printable_height = 250',
    '; CONFIG_BLOCK_END'
  ]
  const square = (x: number, y: number, width: number, height: number) => [
    `G1 X${x} Y${y} F12000`, 'G1 F3000', `G1 X${x + width} E.8`, `G1 Y${y + height} E.8`, `G1 X${x} E.8`, `G1 Y${y} E.8`,
    '; WIPE_START', 'G1 E-.8 F1800', '; WIPE_END'
  ]
  const layer = (number: number) => [
    '; CHANGE_LAYER', `; Z_HEIGHT: ${(number * 0.2).toFixed(1)}`, `G1 Z${(number * 0.2).toFixed(1)} F1200`,
    `M73 L${number}`, `M73 P${Math.floor(100 * number / layers)} R${layers - number}`,
    ...(number === 3 ? ['M620 S1A', 'T1', 'G1 E8 F300', 'M621 S1A'] : []),
    '; OBJECT_ID: 3', '; FEATURE: Outer wall', ...square(90, 90, 8, 30),
    ...(number <= layers / 2 ? ['; OBJECT_ID: 4', '; FEATURE: Inner wall', ...square(100, 90, 10, 30)] : [])
  ]
  return [
    '; HEADER_BLOCK_START', '; Generated with Slicer 1.0',
    '; model printing time: 5m 0s; total estimated time: 11m 0s', `; total layer number: ${layers}`,
    '; filament_density: 1.24,1.27', '; filament_diameter: 1.75,1.75', '; filament: 1,2', '; HEADER_BLOCK_END',
    ...(settings === 'first' ? config : []),
    'M140 S65', 'M104 S140', 'G28', 'M83', 'G90', `M109 S${startC}`, 'M190 S60', 'G1 X10 Y-1 E10 F600',
    ...Array.from({ length: layers }, (_, at) => layer(at + 1)).flat(),
    'M104 S0', 'M140 S0',
    ...(settings === 'last' ? config : [])
  ].join('\n')
}

/** Machines that are alike in where they wipe, park and cut. */
export type Family = 'cube' | 'a1' | 'h2'

const RESET = ['M104 S140', 'M140 S65', 'G91', 'M17 Z0.4 ; lower the z-motor current', 'G380 S2 Z30 F300', 'G1 Z5 F300',
  'G90', 'M17 X1.2 Y1.2 Z0.75', 'M960 S5 P1 ; turn on logo lamp', 'M220 S100 ;Reset Feedrate', 'M221 S100',
  'M73.2   R1.0 ;Reset left time magnitude', 'M1002 gcode_claim_action : 2', 'G28 X T300', 'M975 S1 ; turn on']
const LEVELLING = ['M190 S65', 'M1002 judge_flag g29_before_print_flag', 'M622 J1', '    G29 A X10 Y10 I40 J40',
  '    M400', '    M500 ; save cali data', 'M623', 'M622 J0', '    G28', 'M623', 'G90', 'M83', 'T1000', 'M109 S220']

const wipe = (side: readonly string[]) => [
  ...side, 'M620 M ;enable remap', 'M620 S0A   ; switch material if AMS exist', '    M109 S220', '    T0', ...side,
  'M621 S0A', 'M109 S250 ;set nozzle to common flush temp', 'G92 E0', 'G1 E50 F200', 'M400', 'M104 S220', 'G92 E0',
  'G1 E50 F200', 'G1 E-0.5 F300', 'M104 S140', 'G0 X135 Y253 F20000', 'G28 Z P0 T300', 'G29.2 S0 ; turn off ABL',
  'G0 X128 Y261 Z-1.5 F20000', 'G0 X131 F211', 'G2 I0.5 J0 F300', 'G2 I0.5 J0 F300', 'G1 Z10'
]
/** Where each family draws in the first filament, beside the bed. */
const LOADING: Readonly<Record<Family, readonly string[]>> = {
  cube: wipe(['G1 X60 F12000', 'G1 Y245', 'G1 Y265 F3000']),
  a1: wipe(['G1 X0.0 F30000', 'G1 X-48.2 F3000']),
  h2: ['G150.1 F18000', 'G1 X175 Y160 F30000', 'G28 Z P0 T250', 'T1001', 'M620 M ;enable remap', 'M104 S255 T1',
    'M620.10 A0 F239.471 H0.4 T270 P255 S1', 'M620 S0A H-1', 'T0 H-1', 'M628 S0', 'M629', 'M621 S0A', 'M104 S220',
    'M109 S220 ; wait tmpr to extrude', 'M83', 'G1 E45 F299', 'G1 E-3 F1800', 'M620 D-1', 'M141 S0', 'M620 Q1']
}
/** A straight piece at the edge of the bed, or beyond it. */
const PURGING: Readonly<Record<Family, readonly string[]>> = {
  cube: ['G1 X18.0 Y1.0 Z0.8 F18000', 'G1 Z0.2', 'G0 X240 E15 F6033', 'G0 Y11 E0.7 F1508'],
  a1: ['G0 X68 Y-2.5 F30000', 'G0 Z0.3 F18000', 'G0 X88 E10  F192', 'G0 X93 E.3742 F320'],
  h2: ['G1 X270 Y-0.5 F60000', 'G1 Z0.8 F1200', 'M500 D1', 'G1 X290 E10 F299', 'G91', 'G3 Z0.4 I1.217 J0 P1 F60000',
    'G90', 'M83']
}

/** What printers do before a print, as their own slicer writes it. */
export const startCode = (family: Family): readonly string[] => [
  ...RESET, ...LOADING[family], ...LEVELLING, ...PURGING[family],
  'M975 S1 ; turn on mech mode supression', 'M211 X0 Y0 Z0 ;turn off soft endstop'
]

export const endCode = ([, depth, height]: readonly [number, number, number]): readonly string[] => [
  'M106 S0', 'M981 S0 P20000 ; close spaghetti detector', '; FEATURE: Custom', '; MACHINE_END_GCODE_START',
  '; filament end gcode ', 'M400 ; wait for buffer to clear', 'G92 E0 ; zero the extruder', 'G1 E-0.8 F1800 ; retract',
  'G1 X65 Y245 F12000', `G1 Y${depth + 9} F3000`, 'M140 S0 ; turn off bed', 'M620 S255', 'G1 X20 Y50 F12000', 'T255',
  'M621 S255', 'M104 S0 ; turn off hotend', 'M17 S', 'M17 Z0.4', `G1 Z${height - 1} F600`, 'M17 R', 'M220 S100',
  'M201.2 K1.0 ; Reset acc magnitude', 'M17 X0.8 Y0.8 Z0.5', 'M906 X500'
]

/** What a move builds. The place in this list is the number in a track. */
export const FEATURES = [
  'none', 'outer_wall', 'inner_wall', 'overhang_wall', 'sparse_infill', 'solid_infill', 'top_surface', 'bottom_surface',
  'bridge', 'gap_infill', 'ironing', 'skirt', 'brim', 'support', 'support_interface', 'prime_tower', 'custom'
] as const
export type Feature = (typeof FEATURES)[number]

/** What slicers call them in their comments, in small letters. */
export const FEATURE_NAMES: Readonly<Record<string, Feature>> = {
  // the printers' own slicer and its relatives
  'outer wall': 'outer_wall',
  'inner wall': 'inner_wall',
  'overhang wall': 'overhang_wall',
  'sparse infill': 'sparse_infill',
  'internal solid infill': 'solid_infill',
  'top surface': 'top_surface',
  'bottom surface': 'bottom_surface',
  bridge: 'bridge',
  'internal bridge': 'bridge',
  'gap infill': 'gap_infill',
  ironing: 'ironing',
  skirt: 'skirt',
  brim: 'brim',
  support: 'support',
  'support interface': 'support_interface',
  'support transition': 'support_interface',
  'prime tower': 'prime_tower',
  custom: 'custom',
  'floating vertical shell': 'inner_wall',
  // PrusaSlicer
  'external perimeter': 'outer_wall',
  perimeter: 'inner_wall',
  'overhang perimeter': 'overhang_wall',
  'internal infill': 'sparse_infill',
  'solid infill': 'solid_infill',
  'top solid infill': 'top_surface',
  'bridge infill': 'bridge',
  'gap fill': 'gap_infill',
  'skirt/brim': 'skirt',
  'support material': 'support',
  'support material interface': 'support_interface',
  'wipe tower': 'prime_tower',
  // SuperSlicer
  'internal perimeter': 'inner_wall',
  'internal bridge infill': 'bridge',
  'thin wall': 'outer_wall',
  // Cura
  'wall-outer': 'outer_wall',
  'wall-inner': 'inner_wall',
  skin: 'top_surface',
  fill: 'sparse_infill',
  'support-interface': 'support_interface',
  'prime-tower': 'prime_tower'
}

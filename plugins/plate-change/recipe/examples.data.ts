import type { RecipeFields } from './types.js'

export interface RecipeExample extends RecipeFields {
  /** What has to be adapted, and why it is only an example. */
  readonly note: string
}

const COMMON = {
  models: [], materials: [], start_gcode: '', cool_minutes: 60, soak_minutes: 0, magazine: 0, check: 'person'
} as const satisfies Partial<RecipeFields>

/** Beginnings, not recipes for a product: nobody tried them on a mechanism. */
export const EXAMPLES: readonly RecipeExample[] = [
  {
    ...COMMON,
    models: [...COMMON.models],
    materials: ['PLA'],
    name: 'Example: push the part to the front',
    note: 'An example that must be adapted. The toolhead pushes the cooled part off the front of the bed. Height, ' +
      'path and speed depend on your part and plate; a toolhead can be damaged by a part that still sticks.',
    end_gcode: [
      '; wait until the part has come off by itself', 'M106 P2 S255', 'M190 R30', 'M106 P2 S0',
      '; go behind the part, above it', 'G90', 'G1 Z{print_height_mm+10} F900', 'G1 X128 Y250 F6000',
      '; lower the toolhead beside the plate and push', 'G1 Z5 F600', 'G1 Y5 F1200', 'G1 Z50 F900'
    ].join('\n'),
    cool_c: 30
  },
  {
    ...COMMON,
    models: [...COMMON.models],
    materials: [],
    name: 'Example: plate changer',
    note: 'An example that must be adapted. Replace the middle by the movements that the maker of your changer gives, ' +
      'and set the number of plates in its magazine.',
    end_gcode: [
      'M190 R40', 'G90', 'G1 Z{bed_height_max-20} F900', 'G1 X5 Y5 F6000',
      '; the movements of your changer go here', 'G4 S5', 'M400'
    ].join('\n'),
    cool_c: 40,
    magazine: 8
  },
  {
    ...COMMON,
    models: [...COMMON.models],
    materials: ['ASA', 'ABS'],
    name: 'Example: soak only',
    note: 'An example that must be adapted. It moves nothing: the bed is hot for ten minutes before the print, and a ' +
      'person clears the plate.',
    end_gcode: '',
    cool_c: 45,
    soak_minutes: 10
  }
]

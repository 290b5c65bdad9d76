/** Names of build plates in projects and commands, by the name that slicers show. */
const BY_NAME: Readonly<Record<string, string>> = {
  'Cool Plate': 'cool_plate',
  'Engineering Plate': 'eng_plate',
  'High Temp Plate': 'hot_plate',
  'Smooth PEI Plate': 'hot_plate',
  'Smooth PEI Plate / High Temp Plate': 'hot_plate',
  'Textured PEI Plate': 'textured_plate',
  'Textured Cool Plate': 'textured_cool_plate',
  'Supertack Plate': 'supertack_plate',
  'Cool Plate (SuperTack)': 'supertack_plate'
}
const NAMES: ReadonlySet<string> = new Set(Object.values(BY_NAME))

/**
 * The build plate that a plate is sliced for, such as `textured_plate`; empty when unknown.
 * @param own the plate's setting @param common the project's setting
 */
export function bedTypeOf (own: unknown, common: string): string {
  if (typeof own === 'string' && NAMES.has(own)) return own
  return Object.hasOwn(BY_NAME, common) ? BY_NAME[common] ?? '' : ''
}

/** `textured_plate` as plain text. */
export const bedWords = (bedType: string): string => bedType.replaceAll('_', ' ').replace(/^eng /, 'engineering ')

import type { Rgb } from './draw.js'
import type { Random } from './random.js'

/** What a print that goes well may look like. */
export const LOOKS =
  ['plain', 'supports', 'trees', 'brim', 'vase', 'glossy', 'white', 'black', 'several', 'plate'] as const
export type Look = (typeof LOOKS)[number]

/** What goes wrong. */
export const FAILURES = ['spaghetti', 'detached', 'blob', 'shift', 'warped', 'empty'] as const
/** Failures that leave no strands, by what is missing or misplaced against the toolpath. */
export const STRANDLESS = ['gone', 'moved', 'shift', 'empty', 'warped', 'blob'] as const
export type Failure = (typeof FAILURES)[number] | (typeof STRANDLESS)[number]

export const COLORS: readonly Rgb[] =
  [[40, 90, 200], [235, 120, 30], [228, 228, 224], [32, 32, 34], [200, 40, 36], [50, 160, 70], [140, 140, 144]]
const WHITES: readonly Rgb[] = [[240, 240, 238], [246, 244, 236], [226, 228, 232]]
const BLACKS: readonly Rgb[] = [[20, 20, 22], [26, 26, 30], [34, 32, 32]]

export const plasticOf = (look: Look, random: Random): Rgb =>
  random.of(look === 'white' ? WHITES : look === 'black' ? BLACKS : COLORS)

/** Sheets as they are usual, and those that are not. */
const SHEETS: readonly Rgb[] = [[96, 84, 52], [60, 62, 66], [120, 112, 84], [44, 46, 60]]
const RARE_SHEETS: readonly Rgb[] =
  [[168, 140, 60], [30, 30, 32], [44, 84, 120], [150, 150, 150], [92, 50, 46], [34, 96, 80]]

export const sheetOf = (look: Look, random: Random): Rgb => random.of(look === 'plate' ? RARE_SHEETS : SHEETS)

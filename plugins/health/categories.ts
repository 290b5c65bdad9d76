import { CATEGORIES, type Category } from './pictures/names.js'

const isCategory = (letter: string): letter is Category => letter in CATEGORIES
const DEFAULT: readonly Category[] = ['X']

/** Letters in any case, unknown ones left out; without any the composite. */
export function categoriesOf (letters: readonly string[]): Category[] {
  const known = letters.map(letter => letter.trim().toUpperCase()).filter(isCategory)
  return [...new Set(known.length === 0 ? DEFAULT : known)]
}

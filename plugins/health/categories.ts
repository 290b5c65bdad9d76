import { CATEGORIES, type Category } from './pictures/names.js'

const isCategory = (letter: string): letter is Category => letter in CATEGORIES
const DEFAULT: readonly Category[] = ['X']

/** Known letters in either case; the composite when there is none. */
export function categoriesOf (letters: readonly string[]): Category[] {
  const known = letters.map(letter => letter.trim().toUpperCase()).filter(isCategory)
  return [...new Set(known.length === 0 ? DEFAULT : known)]
}

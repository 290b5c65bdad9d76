import { box, type Canvas, type Colour } from './canvas.js'

/** Rows of five dots from the top, the leftmost dot in the highest bit. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  0: [14, 17, 19, 21, 25, 17, 14],
  1: [4, 12, 4, 4, 4, 4, 14],
  2: [14, 17, 1, 2, 4, 8, 31],
  3: [31, 2, 4, 2, 1, 17, 14],
  4: [2, 6, 10, 18, 31, 2, 2],
  5: [31, 16, 30, 1, 1, 17, 14],
  6: [6, 8, 16, 30, 17, 17, 14],
  7: [31, 1, 2, 4, 8, 8, 8],
  8: [14, 17, 17, 14, 17, 17, 14],
  9: [14, 17, 17, 15, 1, 2, 12],
  ':': [0, 4, 4, 0, 4, 4, 0],
  '.': [0, 0, 0, 0, 0, 12, 12],
  '-': [0, 0, 0, 31, 0, 0, 0]
}
const COLUMNS = 5
const ADVANCE = 6

/** Writes digits and the marks of a date; other letters leave a gap. No font is needed. */
export function drawLettering (canvas: Canvas, text: string, x: number, y: number, dot: number, colour: Colour): void {
  for (const [at, letter] of [...text].entries()) {
    for (const [row, bits] of (GLYPHS[letter] ?? []).entries()) {
      for (let column = 0; column < COLUMNS; column++) {
        const isSet = (bits >> (COLUMNS - 1 - column) & 1) === 1
        if (isSet) box(canvas, x + (at * ADVANCE + column) * dot, y + row * dot, dot, dot, colour)
      }
    }
  }
}

import { box, createCanvas, type Canvas, type Colour } from '../picture/canvas.js'
import { drawLettering } from '../picture/lettering.js'
import { MACROBLOCK, toMacroblocks } from './macroblocks.js'

const DIGITS = 4
const GROUND: Colour = [12, 12, 12]
const INK: Colour = [230, 230, 230]
const DOT = 2
const LEFT = 3
const TOP = 1

function digit (value: number): Buffer {
  const canvas = createCanvas(MACROBLOCK, MACROBLOCK)
  box(canvas, 0, 0, MACROBLOCK, MACROBLOCK, GROUND)
  drawLettering(canvas, String(value), LEFT, TOP, DOT, INK)
  return toMacroblocks(canvas.data, MACROBLOCK, MACROBLOCK)
}

/** Samples of a block with each digit. */
const BLOCKS = Array.from({ length: 10 }, (_, value) => digit(value))

/** Width of the counter in blocks, in the upper right corner of a picture with so many columns. */
export const counterWidth = (columns: number): number => Math.min(DIGITS, columns)

/** Samples of the blocks that show the lowest digits of a number. */
export const counterBlocks = (number: number, width: number): Buffer[] =>
  [...String(number).padStart(DIGITS, '0')].slice(-width).map(value => BLOCKS[Number(value)] as Buffer)

/** Blanks the area of the counter in a drawing. */
export function clearCounter (canvas: Canvas): void {
  const columns = Math.ceil(canvas.width / MACROBLOCK)
  box(canvas, (columns - counterWidth(columns)) * MACROBLOCK, 0, DIGITS * MACROBLOCK, MACROBLOCK, GROUND)
}

import { box, createCanvas, type Canvas, type Colour } from '../picture/canvas.js'
import { write } from '../picture/lettering.js'
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
  write(canvas, String(value), LEFT, TOP, DOT, INK)
  return toMacroblocks(canvas.data, MACROBLOCK, MACROBLOCK)
}

/** Samples of a block with each digit. */
const BLOCKS = Array.from({ length: 10 }, (_, value) => digit(value))

/** Blocks of the counter in a picture of so many columns, in its upper right corner. */
export const counterWidth = (columns: number): number => Math.min(DIGITS, columns)

/** Samples of the blocks that show a number; its highest digits are left out. */
export const counterBlocks = (number: number, width: number): Buffer[] =>
  [...String(number).padStart(DIGITS, '0')].slice(-width).map(value => BLOCKS[Number(value)] as Buffer)

/** Clears the place of the counter in a drawing. */
export function clearCounter (canvas: Canvas): void {
  const columns = Math.ceil(canvas.width / MACROBLOCK)
  box(canvas, (columns - counterWidth(columns)) * MACROBLOCK, 0, DIGITS * MACROBLOCK, MACROBLOCK, GROUND)
}

import { drawLabel, rectangle, type LabelContent, type Shape } from './draw-label.js'
import type { Sheet } from './sheets.data.js'
import type { Letters } from './types.js'

export const labelsOn = ({ columns, rows }: Sheet): number => columns * rows

/** Pages that so many labels need. @param start position of the first label, from 1 */
export const pagesFor = (sheet: Sheet, labels: number, start: number): number =>
  Math.ceil((labels + start - 1) / labelsOn(sheet))

/** Where a position on a sheet is, counted from 0 along the rows. */
export function placeOnSheet (sheet: Sheet, at: number) {
  const { label: [width, height], columns, first: [left, top], pitch: [right, down] } = sheet
  return { x: left + (at % columns) * right, y: top + Math.floor(at / columns) * down, width, height }
}

const OUTLINE = '#b0b0b0'

function outlineOf ({ x, y, width, height }: ReturnType<typeof placeOnSheet>): Shape {
  const line = 0.2
  const across = { x, width, height: line }
  const down = { y, width: line, height }
  return {
    path: [
      rectangle({ ...across, y }), rectangle({ ...across, y: y + height - line }),
      rectangle({ ...down, x }), rectangle({ ...down, x: x + width - line })
    ].join(''),
    fill: OUTLINE
  }
}

interface Wanted {
  readonly sheet: Sheet
  readonly labels: readonly LabelContent[]
  /** Position of the first label on the first page, from 1: those before it were used. */
  readonly start: number
}

/** Draws one page. @param page from 1 @param hasOutlines shows where labels are, for people who look at the page */
export function layOutPage (face: Letters, wanted: Wanted, page: number, hasOutlines = false): Shape[] {
  const { sheet, labels, start } = wanted
  const count = labelsOn(sheet)
  const positions = Array.from({ length: count }, (_, at) => at)
  return positions.flatMap(at => {
    const place = placeOnSheet(sheet, at)
    const label = labels[(page - 1) * count + at - (start - 1)]
    return [...hasOutlines ? [outlineOf(place)] : [], ...label === undefined ? [] : drawLabel(face, label, place)]
  })
}

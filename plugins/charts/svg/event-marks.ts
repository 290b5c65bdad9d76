import type { Mark } from '../../telemetry/index.js'
import { linearScale, type Domain } from './scale.js'
import { fit, label, round1, tag, widthOf } from './tag.js'

/** Area of the marks: lines extend to the bottom of the plot, labels are in rows above it. */
export interface MarkBand {
  readonly x: number
  readonly width: number
  /** Upper edge of the first row of labels. */
  readonly top: number
  readonly bottom: number
  readonly time: Domain
}

const MOST_ROWS = 3
const ROW = 13
const TEXT_SIZE = 12
const GAP = 4
const LONGEST = 130

interface Placed {
  readonly text: string
  readonly x: number
  readonly row: number
  readonly anchor: 'start' | 'end'
}
type Stretch = readonly [from: number, to: number]

const overlaps = ([from, to]: Stretch, taken: readonly Stretch[]) => taken.some(([a, b]) => from < b && to > a)

interface Side { readonly anchor: Placed['anchor'], readonly stretch: Stretch }

/** Left or right of the mark, wherever there is room. */
const sides = (x: number, width: number, { x: left, width: whole }: MarkBand): Side[] => [
  { anchor: 'start' as const, stretch: [x, x + GAP + width] as const },
  { anchor: 'end' as const, stretch: [x - GAP - width, x] as const }
].filter(({ stretch: [from, to] }) => from >= left && to <= left + whole)

/** Newest marks first; a label that does not fit is omitted, but its line stays. */
export function placeLabels (marks: readonly Mark[], band: MarkBand): Placed[] {
  const x = linearScale(band.time, [band.x, band.x + band.width])
  const taken: Stretch[][] = Array.from({ length: MOST_ROWS }, () => [])
  const placed: Placed[] = []
  for (const mark of [...marks].reverse()) {
    const text = fit(mark.label, LONGEST, TEXT_SIZE)
    const at = x(mark.t)
    const options = sides(at, widthOf(text, TEXT_SIZE), band)
    const row = taken.findIndex(row => options.some(({ stretch }) => !overlaps(stretch, row)))
    const chosen = options.find(({ stretch }) => !overlaps(stretch, taken[row] ?? []))
    if (row < 0 || !chosen) continue
    taken[row]?.push(chosen.stretch)
    placed.push({ text, x: at, row, anchor: chosen.anchor })
  }
  return placed
}

/** Height of the labels. */
export const heightOf = (placed: readonly Placed[]): number =>
  placed.reduce((height, { row }) => Math.max(height, (row + 1) * ROW), 0)

const TICK = 6

/** A full line for each mark with a label, a short one for the others. */
export function drawMarks (marks: readonly Mark[], placed: readonly Placed[], band: MarkBand): string {
  if (marks.length === 0) return ''
  const x = linearScale(band.time, [band.x, band.x + band.width])
  const feet = band.top + heightOf(placed)
  const lines = new Map(marks.map(({ t }) => [round1(x(t)), [feet, feet + TICK] as const]))
  for (const { x: at, row } of placed) {
    const [known] = lines.get(round1(at)) ?? [feet]
    lines.set(round1(at), [Math.min(known, band.top + row * ROW), band.bottom])
  }
  const drawn = [...lines].map(([at, [top, bottom]]) => `M${at} ${round1(top)}V${round1(bottom)}`).join('')
  const texts = placed.map(({ text, x, row, anchor }) => label(x + (anchor === 'start' ? GAP : -GAP),
    band.top + row * ROW + 10, text, { class: 'm k', 'text-anchor': anchor }))
  return tag('path', { class: 'o', 'stroke-dasharray': '1 3', d: drawn }) + texts.join('')
}

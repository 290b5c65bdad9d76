import { shape } from './shape.js'
import { fit, span, tag } from './tag.js'

export interface LegendEntry {
  readonly series: number
  readonly label: string
  /** The current value with its unit. */
  readonly value: string
  /** The target value; empty without one. */
  readonly target?: string
}

const ROW = 17
const SAMPLE = 18
const TEXT_SIZE = 12

interface Place { readonly x: number, readonly y: number, readonly width: number, readonly columns: number }

/** Entries in columns, row by row. @returns the drawing and its height */
export function legend (entries: readonly LegendEntry[], { x, y, width, columns }: Place) {
  const column = width / columns
  const svg = entries.map((entry, at) =>
    drawEntry(entry, x + (at % columns) * column, y + Math.floor(at / columns) * ROW, column)).join('')
  return { svg, height: Math.ceil(entries.length / columns) * ROW }
}

function drawEntry (entry: LegendEntry, x: number, y: number, width: number): string {
  const { series, label, value, target = '' } = entry
  const name = fit(label, width - SAMPLE - (value.length + target.length) * 6, TEXT_SIZE)
  return tag('path', { class: `l l${series}`, d: `M${x} ${y - 4}h14` }) + shape(series, x + 7, y - 4) +
    tag('text', { x: x + SAMPLE, y },
      span(`${name} `, 'm'), span(value, 'b'), target === '' ? '' : span(` → ${target}`, 'm'))
}

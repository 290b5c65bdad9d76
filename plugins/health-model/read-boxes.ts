import type { Box, Model, Output } from './types.js'

/** Boxes with a larger overlap (IoU) with a better one are the same object. */
const SAME = 0.45
/** Two tiles may each see a part of an object: it is the same if more than this share of the smaller box is inside. */
const INSIDE = 0.6
/** Only the best boxes are considered: a network that finds more is of no use. */
const MOST_BOXES = 300

export const wrong = (what: string) => new Error(`The network's answer does not fit its kind: ${what}`)
export const clamp01 = (value: number) => value < 0 ? 0 : value > 1 ? 1 : value
export const shapeText = ({ name, dims }: { readonly name: string, readonly dims: readonly (number | string)[] }) =>
  `'${name}' of ${dims.join(' x ') || 'one number'}`

interface Shared { readonly iou: number, readonly inside: number }

function shared (one: Box, other: Box): Shared {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  if (wide <= 0 || high <= 0) return { iou: 0, inside: 0 }
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top)
  const [first, second] = [area(one), area(other)]
  return { iou: wide * high / (first + second - wide * high), inside: wide * high / Math.min(first, second) }
}

/**
 * Non-maximum suppression: of overlapping boxes with the same label only the best stays.
 * @param isTiled boxes come from several tiles
 */
export function suppressed (boxes: readonly Box[], isTiled = false): Box[] {
  const best: Box[] = []
  for (const box of [...boxes].sort((a, b) => b.score - a.score).slice(0, MOST_BOXES)) {
    const isNew = best.every(other => {
      if (other.label !== box.label) return true
      const { iou, inside } = shared(box, other)
      return iou <= SAME && !(isTiled && inside > INSIDE)
    })
    if (isNew) best.push(box)
  }
  return best
}

type Corners = readonly [left: number, top: number, right: number, bottom: number]
interface Candidate { readonly corners: Corners, readonly score: number, readonly label: number }

/** @returns index and value of the highest of `count` numbers */
function highest (data: Float32Array, from: number, count: number, step: number): readonly [number, number] {
  let [best, value] = [0, data[from] ?? NaN]
  for (let label = 1; label < count; label++) {
    const other = data[from + label * step] ?? NaN
    if (other > value || Number.isNaN(other)) [best, value] = [label, other]
  }
  return [best, value]
}

/** Corners [1, N, 1, 4] or [1, N, 4] in fractions, certainties [1, N, labels]. */
function * apart ({ labels }: Model, outputs: readonly Output[]): Generator<Candidate> {
  const corners = outputs.find(({ dims }) => dims.length === 4 && dims[3] === 4) ??
    outputs.find(({ dims }) => dims.at(-1) === 4)
  const certainties = outputs.find(output => output !== corners && output.dims.length === 3)
  if (!corners || !certainties) throw wrong('boxes and certainties are missing')
  const classes = certainties.dims.at(-1) ?? 0
  const count = certainties.data.length / classes
  if (classes !== labels.length || corners.data.length !== 4 * count) {
    throw wrong(`${corners.data.length / 4} boxes, ${count} certainties of ${classes} labels; ${labels.length} labels are known`)
  }
  for (let at = 0; at < count; at++) {
    const [label, score] = highest(certainties.data, at * classes, classes, 1)
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.data.subarray(4 * at, 4 * at + 4)
    yield { corners: [left, top, right, bottom], score, label }
  }
}

const ofMiddle = (x: number, y: number, width: number, height: number): Corners =>
  [x - width / 2, y - height / 2, x + width / 2, y + height / 2]

/** The output with the boxes, and the numbers of each that belong to masks. */
function tableOf (outputs: readonly Output[]): { readonly table: Output, readonly masks: number } {
  const table = outputs.find(({ dims }) => dims.length === 3)
  if (!table) throw wrong(`it has ${outputs.map(shapeText).join(', ')}, and no list of boxes`)
  return { table, masks: outputs.find(({ dims }) => dims.length === 4)?.dims[1] ?? 0 }
}

const misfit = (output: Output, labels: readonly string[]) =>
  wrong(`it has ${shapeText(output)}, and ${labels.length} labels are known`)

/** `[1, 4 + labels, N]`: middle and size in pixels of the input, then a certainty for each label. */
function * columns ({ labels, width, height }: Model, outputs: readonly Output[]): Generator<Candidate> {
  const { table, masks } = tableOf(outputs)
  const [, rows = 0, count = 0] = table.dims
  if (rows !== 4 + labels.length + masks) throw misfit(table, labels)
  for (let at = 0; at < count; at++) {
    const number = (row: number) => table.data[row * count + at] ?? NaN
    const [label, score] = highest(table.data, 4 * count + at, labels.length, count)
    const corners = ofMiddle(number(0) / width, number(1) / height, number(2) / width, number(3) / height)
    yield { corners, score, label }
  }
}

/** `[1, N, 5 + labels]`: the same, with the certainty that there is anything in between. */
function * rows ({ labels, width, height }: Model, outputs: readonly Output[]): Generator<Candidate> {
  const { table, masks } = tableOf(outputs)
  const [, count = 0, length = 0] = table.dims
  if (length !== 5 + labels.length + masks) throw misfit(table, labels)
  for (let at = 0; at < count; at++) {
    const [x = 0, y = 0, wide = 0, high = 0, thing = NaN] = table.data.subarray(at * length, at * length + 5)
    const [label, score] = highest(table.data, at * length + 5, labels.length, 1)
    yield { corners: ofMiddle(x / width, y / height, wide / width, high / height), score: thing * score, label }
  }
}

/** `[1, N, 6]`: corners in pixels of the input, certainty, label; empty lines have no certainty. */
function * finals ({ labels, width, height, threshold }: Model, outputs: readonly Output[]): Generator<Candidate> {
  const { table, masks } = tableOf(outputs)
  const [, count = 0, length = 0] = table.dims
  if (length !== 6 + masks) throw misfit(table, labels)
  for (let at = 0; at < count; at++) {
    const [left = 0, top = 0, right = 0, bottom = 0, score = NaN, label = NaN] =
      table.data.subarray(at * length, at * length + 6)
    if (score > threshold && labels[label] === undefined) {
      throw wrong(`it found something of label ${label}, and ${labels.length} labels are known, from 0 on`)
    }
    yield { corners: [left / width, top / height, right / width, bottom / height], score, label }
  }
}

const READERS = { corners: apart, yolov8: columns, yolov5: rows, final: finals } as const

/** The boxes in an answer, in fractions of the input. @throws when it does not fit the network */
export function readBoxes (model: Model, outputs: readonly Output[]): Box[] {
  const { labels, threshold, boxes: format = 'corners' } = model
  const boxes: Box[] = []
  for (const { corners: [left, top, right, bottom], score, label } of READERS[format](model, outputs)) {
    if (Number.isNaN(score)) throw wrong('a certainty is no number')
    if (!(score > threshold && right > left && bottom > top)) continue
    boxes.push({
      left: clamp01(left),
      top: clamp01(top),
      right: clamp01(right),
      bottom: clamp01(bottom),
      score: Math.min(1, score),
      label: labels[label] ?? ''
    })
  }
  return suppressed(boxes)
}

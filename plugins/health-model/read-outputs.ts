import type { Box, Model, Output, Reading } from './types.js'

/** Boxes with a larger overlap (IoU) with a better one are the same object. */
const SAME = 0.45
/** Only the best boxes are considered: a network that finds more is of no use. */
const MOST_BOXES = 300
/** Output of a classifier or an embedding that decides nothing. */
const UNDECIDED = 0.5

const wrong = (what: string) => new Error(`The network's answer does not fit its kind: ${what}`)
const clamp01 = (value: number) => value < 0 ? 0 : value > 1 ? 1 : value

function overlap (one: Box, other: Box): number {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  if (wide <= 0 || high <= 0) return 0
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top)
  return wide * high / (area(one) + area(other) - wide * high)
}

/** Non-maximum suppression: of overlapping boxes with the same label only the best stays. */
export function suppressed (boxes: readonly Box[]): Box[] {
  const best: Box[] = []
  for (const box of [...boxes].sort((a, b) => b.score - a.score).slice(0, MOST_BOXES)) {
    if (best.every(other => other.label !== box.label || overlap(box, other) <= SAME)) best.push(box)
  }
  return best
}

/** Corners [1, N, 1, 4] or [1, N, 4] in fractions, certainties [1, N, labels]. */
function detections ({ labels, threshold }: Model, outputs: readonly Output[]): Box[] {
  const corners = outputs.find(({ dims }) => dims.length === 4 && dims[3] === 4) ??
    outputs.find(({ dims }) => dims.at(-1) === 4)
  const certainties = outputs.find(output => output !== corners && output.dims.length === 3)
  if (!corners || !certainties) throw wrong('boxes and certainties are missing')
  const classes = certainties.dims.at(-1) ?? 0
  const count = certainties.data.length / classes
  if (classes !== labels.length || corners.data.length !== 4 * count) {
    throw wrong(`${corners.data.length / 4} boxes, ${count} certainties of ${classes} labels; ${labels.length} labels are known`)
  }
  const boxes: Box[] = []
  for (let at = 0; at < count; at++) {
    let best = 0
    for (let label = 1; label < classes; label++) {
      if ((certainties.data[at * classes + label] ?? 0) > (certainties.data[at * classes + best] ?? 0)) best = label
    }
    const score = certainties.data[at * classes + best] ?? 0
    if (!(score > threshold)) continue
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.data.subarray(4 * at, 4 * at + 4)
    if (!(right > left && bottom > top)) continue
    boxes.push({
      left: clamp01(left),
      top: clamp01(top),
      right: clamp01(right),
      bottom: clamp01(bottom),
      score: Math.min(1, score),
      label: labels[best] ?? ''
    })
  }
  return suppressed(boxes)
}

/** Maps the range above the decision boundary to 0 to 1. */
const beyondUndecided = (share: number): number => clamp01((share - UNDECIDED) / (1 - UNDECIDED))

function classified ({ labels, failing }: Model, [output]: readonly Output[]): number {
  if (output?.data.length !== labels.length) throw wrong(`${output?.data.length ?? 0} numbers for ${labels.length} labels`)
  const values = [...output.data]
  const [only = NaN] = values
  // A network of one label gives its probability, or the number of which the sigmoid is the probability.
  if (values.length === 1) return only >= 0 && only <= 1 ? only : 1 / (1 + Math.exp(-only))
  const sum = values.reduce((total, value) => total + value, 0)
  const areShares = values.every(value => value >= 0 && value <= 1) && Math.abs(sum - 1) < 0.01
  const most = Math.max(...values)
  const powers = areShares ? values : values.map(value => Math.exp(value - most))
  const total = powers.reduce((all, value) => all + value, 0)
  return powers.reduce((all, value, at) => failing.includes(labels[at] ?? '') ? all + value / total : all, 0)
}

/** Softmax of the distances to the prototypes: the probability of a failure. */
function likened ({ prototypes }: Model, [output]: readonly Output[]): number {
  if (!output || !prototypes) throw wrong('it has no prototypes')
  const { success, failure } = prototypes
  if (output.data.length !== success.length || output.data.length !== failure.length) {
    throw wrong(`an embedding of ${output.data.length} numbers, prototypes of ${success.length} and ${failure.length}`)
  }
  const distance = (to: readonly number[]) => Math.hypot(...to.map((value, at) => value - (output.data[at] ?? 0)))
  return 1 / (1 + Math.exp(distance(failure) - distance(success)))
}

/** @throws when the output does not fit the kind of network, or is no number */
export function readOutputs (model: Model, outputs: readonly Output[]): Reading {
  const boxes = model.kind === 'detection' ? detections(model, outputs) : []
  const value = model.kind === 'detection'
    ? boxes.filter(({ label }) => model.failing.includes(label)).reduce((sum, { score }) => sum + score, 0)
    : beyondUndecided(model.kind === 'embedding' ? likened(model, outputs) : classified(model, outputs))
  if (!Number.isFinite(value)) throw wrong('it is no number')
  return { value, boxes }
}

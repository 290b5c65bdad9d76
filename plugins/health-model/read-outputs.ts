import { clamp01, readBoxes, shapeText, suppressed, wrong } from './read-boxes.js'
import { boxesOfMap } from './read-map.js'
import type { Box, Model, Output, Reading } from './types.js'

/** Output of a classifier or an embedding that decides nothing. */
const UNDECIDED = 0.5

/** Maps the range above the decision boundary to 0 to 1. */
const beyondUndecided = (share: number): number => clamp01((share - UNDECIDED) / (1 - UNDECIDED))

function classified ({ labels, failing }: Model, outputs: readonly Output[]): number {
  const [output] = outputs
  if (output?.data.length !== labels.length) {
    throw wrong(`${output?.data.length ?? 0} numbers for ${labels.length} labels${output ? `, in ${shapeText(output)}` : ''}`)
  }
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

/** The certainties of failures together. */
const sumOf = (boxes: readonly Box[], { failing }: Model): number =>
  boxes.filter(({ label }) => failing.includes(label)).reduce((sum, { score }) => sum + score, 0)

/**
 * Reads the answer to one input; boxes are in fractions of that.
 * @throws when the output does not fit the kind of network, or is no number
 */
export function readOutputs (model: Model, outputs: readonly Output[]): Reading {
  const boxes = model.kind === 'detection' ? readBoxes(model, outputs) : boxesOfMap(model, outputs)
  const value = model.kind === 'detection'
    ? sumOf(boxes, model)
    : beyondUndecided(model.kind === 'embedding' ? likened(model, outputs) : classified(model, outputs))
  if (!Number.isFinite(value)) throw wrong('it is no number')
  return { value, boxes }
}

/** One reading of those of several tiles, whose boxes are in fractions of the picture: the worst tile counts. */
export function joinReadings (model: Model, readings: readonly Reading[]): Reading {
  const found = readings.flatMap(({ boxes }) => boxes)
  if (model.kind !== 'detection') return { value: Math.max(...readings.map(({ value }) => value)), boxes: found }
  const boxes = readings.length > 1 ? suppressed(found, true) : found
  return { value: sumOf(boxes, model), boxes }
}

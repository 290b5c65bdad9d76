import type { Size } from './fit-picture.js'
import { certaintyAlone } from './smoothing.js'
import type { Box, BoxFormat, Fit, Model, Reading } from './types.js'

const FORMATS: Readonly<Record<BoxFormat, string>> = {
  corners: 'corners and certainties apart (as Obico)',
  yolov8: 'a column for each box (as YOLOv8 and later)',
  yolov5: 'a row for each box with objectness (as YOLOv5)',
  final: 'a row for each box, overlapping ones already removed'
}
const FITS: Readonly<Record<Fit, string>> = {
  stretch: 'the whole picture, stretched to the input',
  letterbox: 'the whole picture, with grey bars',
  crop: 'the largest part in the middle; the rest is not seen',
  centre: 'the middle, less an eighth; the rest is not seen',
  tiles: 'the whole picture in overlapping parts, of which the worst counts',
  whole: 'the whole picture, in an input of its shape'
}

const figure = (value: number): string => String(Math.round(value * 1_000) / 1_000)

function numbersOf ({ mean, std }: Model): string {
  const isSame = (values: readonly number[]) => values.every(value => value === values[0])
  if (!isSame(mean) || !isSame(std)) return `0..1, less ${mean.map(figure).join(' ')}, divided by ${std.map(figure).join(' ')}`
  const [less = 0, by = 1] = [mean[0], std[0]]
  return `${figure(-less / by)}..${figure((1 - less) / by)}`
}

/** What was understood of a network: kind, input, numbers and labels, a line each. */
export function understood (model: Model): readonly string[] {
  const { kind, boxes, width, height, layout = 'nchw', fit, grey, labels, failing, threshold } = model
  const order = layout === 'nchw' ? 'channels first' : 'channels last'
  return [
    `kind:     ${kind}${kind === 'detection' ? `, ${FORMATS[boxes ?? 'corners']}, from certainty ${figure(threshold)} on` : ''}`,
    `input:    ${width} x ${height}, ${order}, ${grey ? 'grey' : 'colours'} of ${numbersOf(model)}`,
    `sees:     ${FITS[fit]}`,
    `labels:   ${labels.join(', ')}; failures: ${failing.join(', ')}`
  ]
}

export type Word = 'clean' | 'warning' | 'critical'
/** What a single picture says, without the pictures before it. */
export function wordFor (value: number): { readonly word: Word, readonly certainty: number } {
  const certainty = certaintyAlone(value)
  return { certainty, word: certainty >= 2 / 3 ? 'critical' : certainty >= 1 / 3 ? 'warning' : 'clean' }
}

function boxText ({ label, score, ...box }: Box, failing: readonly string[], { width, height }: Size): string {
  const { left, top, right, bottom } = box
  const [x, y] = [Math.round(left * width), Math.round(top * height)]
  const size = `${Math.round((right - left) * width)} x ${Math.round((bottom - top) * height)}`
  return `${label} ${Math.round(100 * score)} %${failing.includes(label) ? '' : ' (no failure)'}: ${size} pixels at ${x}, ${y}`
}

/** The result for one picture, a line for each box. */
export function findings ({ kind, failing }: Model, { value, boxes }: Reading, picture: Size): readonly string[] {
  const { word, certainty } = wordFor(value)
  const isNothing = kind === 'detection' ? boxes.length === 0 : value === 0
  const nothing = kind === 'detection'
    ? 'nothing was found in it'
    : 'the network sees no failure, or is undecided'
  return [
    `${word}: value ${value.toFixed(3)}, certainty ${Math.round(100 * certainty)} % (a warning from 33 %, critical from 67 %)` +
      `${isNothing ? `; ${nothing}` : ''}`,
    ...boxes.map(box => boxText(box, failing, picture))
  ]
}

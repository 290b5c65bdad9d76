import type { Size } from './fit-picture.js'
import type { Stated } from './stated.js'
import { shapeText } from './read-boxes.js'
import type { Shape } from './runtime/inference-messages.js'
import { BOX_FORMATS, type BoxFormat, type Kind } from './types.js'

export interface Claims {
  readonly kind?: Kind | undefined
  readonly boxes?: BoxFormat | undefined
  readonly labels?: readonly string[] | undefined
  readonly hasPrototypes: boolean
}

export interface Answer {
  readonly kind: Kind
  readonly boxes?: BoxFormat
  /** Number of labels, where the shape says it. */
  readonly count?: number
}

/** An export with suppression inside lists fewer boxes than this (300 by default); one without has thousands. */
const MOST_FINAL = 1_000
/** Boxes at each place of YOLOv5's three grids, whose cells have so many pixels. */
const ANCHORS = 3
const STRIDES = [8, 16, 32]

const seen = (outputs: readonly Shape[]) => outputs.map(shapeText).join(', ')
const known = (dim: number | string | undefined): number | undefined => typeof dim === 'number' && dim > 0 ? dim : undefined

const product = ({ dims }: Shape): number | undefined =>
  dims.slice(1).reduce<number | undefined>((all, dim) =>
    all === undefined || known(dim) === undefined ? undefined : all * Number(dim), 1)

const isCorners = (outputs: readonly Shape[]): boolean =>
  outputs.length >= 2 && outputs.some(({ dims }) => dims.at(-1) === 4 && dims.length >= 3) &&
  outputs.some(({ dims }) => dims.length === 3 && dims.at(-1) !== 4)

const placesOfFive = ({ width, height }: Size): number =>
  ANCHORS * STRIDES.reduce((sum, stride) => sum + Math.ceil(width / stride) * Math.ceil(height / stride), 0)

/** The formats that a list of boxes `[1, A, B]` may be in, the likeliest first, with their numbers of labels. */
function possibleFormats (outputs: readonly Shape[], size: Size): (Answer & { readonly boxes: BoxFormat })[] {
  const table = outputs.find(({ dims }) => dims.length === 3)
  const masks = known(outputs.find(({ dims }) => dims.length === 4)?.dims[1]) ?? 0
  const [first, second] = [known(table?.dims[1]), known(table?.dims[2])]
  const kind = 'detection'
  const found: (Answer & { readonly boxes: BoxFormat })[] = []
  const isFive = first === placesOfFive(size)
  if (second === 6 + masks && !isFive && (first ?? 0) <= MOST_FINAL) found.push({ kind, boxes: 'final' })
  if (second !== undefined && second >= 6 + masks && (first === undefined || first > second)) {
    found.push({ kind, boxes: 'yolov5', count: second - 5 - masks })
  }
  if (first !== undefined && first >= 5 + masks && (second === undefined || second > first)) {
    found.push({ kind, boxes: 'yolov8', count: first - 4 - masks })
  }
  return found
}

function detectionOf (outputs: readonly Shape[], claims: Claims, stated: Stated, size: Size): Answer | undefined {
  const labels = claims.labels ?? stated.labels
  if (isCorners(outputs) && (claims.boxes ?? 'corners') === 'corners') {
    const certainties = outputs.find(({ dims }) => dims.length === 3 && dims.at(-1) !== 4)
    const count = known(certainties?.dims.at(-1))
    return { kind: 'detection', boxes: 'corners', ...(count !== undefined && { count }) }
  }
  const possible = possibleFormats(outputs, size)
    .filter(({ boxes }) => claims.boxes === undefined || claims.boxes === boxes)
  const final = stated.isFinal ? possible.find(({ boxes }) => boxes === 'final') : undefined
  const fit = possible.find(({ count }) => count === undefined || labels === undefined || count === labels.length)
  return final ?? fit ?? possible[0]
}

/** More than one number for each label. */
const isMap = ({ dims }: Shape): boolean => dims.slice(2).some(dim => dim !== 1)

const UNSUPPORTED = new Set(['pose', 'obb'])

/**
 * Recognises what a network answers from shapes and from what its file states.
 * @throws when it is nothing known, or not what is claimed, with the shapes that were seen
 */
export function recogniseAnswer (outputs: readonly Shape[], claims: Claims, stated: Stated, size: Size): Answer {
  if (stated.task !== undefined && UNSUPPORTED.has(stated.task)) {
    throw new Error(`A network for '${stated.task}' finds no failures: detect, segment and classify do`)
  }
  if (stated.isDetr) {
    throw new Error(`RT-DETR networks are not supported, as their boxes are fractions: export a YOLO. It has ${seen(outputs)}`)
  }
  const [output] = outputs
  if (output === undefined) throw new Error('A network must have an output')
  const count = product(output)
  const plain: Answer = { kind: claims.hasPrototypes ? 'embedding' : 'classifier', ...(count !== undefined && { count }) }
  const wanted = claims.kind ?? (claims.boxes !== undefined ? 'detection' : undefined)
  if (wanted === 'embedding' || wanted === 'classifier') return { ...plain, kind: wanted }
  if (wanted === undefined && (claims.hasPrototypes || stated.task === 'classify')) return plain
  const detection = detectionOf(outputs, claims, stated, size)
  if (detection !== undefined) return detection
  if (wanted === 'detection') {
    const what = claims.boxes === undefined ? `is no detection of a known format (${BOX_FORMATS.join(', ')})` : `is not ${claims.boxes}`
    throw new Error(`The answer ${what}: it has ${seen(outputs)}`)
  }
  if (outputs.every(isMap)) {
    throw new Error(`The answer is neither boxes nor labels: it has ${seen(outputs)}`)
  }
  return plain
}

/** @throws when labels were named that the shape contradicts */
export function checkLabels (labels: readonly string[], { kind, count }: Answer, outputs: readonly Shape[]): void {
  if (kind === 'embedding' || count === undefined || count === labels.length) return
  throw new Error(`${labels.length} labels are named (${labels.join(', ')}), and the network has ${count}: it has ${seen(outputs)}`)
}

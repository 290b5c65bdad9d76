import { basename } from 'node:path'
import { validationError } from '../../core/index.js'
import type { Size } from './fit-picture.js'
import { statedIn, type Stated } from './stated.js'
import { normalisationOf, type Normalisation } from './normalisation.js'
import { shapeText } from './read-boxes.js'
import { checkLabels, recogniseAnswer, type Answer } from './recognise-answer.js'
import type { Inspection, Shape } from './runtime/inference-messages.js'
import { Model, type BoxFormat, type Fit, type Kind } from './types.js'

/** Properties of a network given by the user; the others are read from the file. */
export interface ModelOverrides extends Normalisation {
  readonly name?: string
  readonly kind?: Kind
  readonly labels?: readonly string[]
  readonly failing?: readonly string[]
  readonly licence?: string
  readonly threshold?: number
  readonly fit?: Fit
  readonly boxes?: BoxFormat
  /** Of the input, where the file leaves it open. */
  readonly size?: Size
  /** The text of a file `{ prototypes: { success, failure } }`. */
  readonly prototypes?: string
}

type Facts = Pick<Model, 'sha256' | 'bytes' | 'source' | 'addedAt'> & {
  readonly licence: string | undefined
  /** Of the file. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** The defaults of Obico (ml_api/server.py) and of Ultralytics' predictions. */
const THRESHOLD = 0.08
const THRESHOLD_OF_YOLO = 0.25
const SIDES = { corners: 416, yolov8: 640, yolov5: 640, final: 640 } as const
const USUAL_SIDE = 224
const UNKNOWN_LICENCE = 'not stated in the file: ask its publisher'

export const nameFor = (source: string): string => basename(source.split(/[?#]/)[0] ?? '').replace(/\.onnx$/i, '')
  .toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'model'

interface Input { readonly layout: 'nchw' | 'nhwc', readonly type: string, readonly size: Partial<Size> }

const fixed = (dim: number | string | undefined): number | undefined =>
  typeof dim === 'number' && dim > 0 ? dim : undefined

/** @throws unless the network takes one picture of three channels */
function inputOf (inputs: readonly Shape[]): Input {
  const [input] = inputs
  const dims = input?.dims ?? []
  const isLast = dims[3] === 3 && dims[1] !== 3
  const [batch, channels] = [fixed(dims[0]), isLast ? dims[3] : dims[1]]
  if (inputs.length !== 1 || !input || dims.length !== 4 || (batch ?? 1) !== 1 || (fixed(channels) ?? 3) !== 3) {
    throw new Error('A network must take one picture of three channels (1 x 3 x height x width, or 1 x height x width x 3), ' +
      `and this one takes ${inputs.map(shapeText).join(', ') || 'nothing'}`)
  }
  const [height, width] = (isLast ? dims.slice(1, 3) : dims.slice(2)).map(fixed)
  return {
    layout: isLast ? 'nhwc' : 'nchw',
    type: input.type ?? 'float32',
    size: { ...(height !== undefined && { height }), ...(width !== undefined && { width }) }
  }
}

interface Sizes {
  readonly wanted: Size | undefined
  readonly stated: Size | undefined
  /** Without either. */
  readonly side: number
}

/** @throws when another size is wanted than the file has */
function sizeOf ({ size }: Input, { wanted, stated, side }: Sizes): Size {
  const open = wanted ?? stated ?? { width: side, height: side }
  const { width = open.width, height = open.height } = size
  if (wanted && (wanted.width !== width || wanted.height !== height)) {
    throw new Error(`The network takes ${width} x ${height} pixels and no other size`)
  }
  return { width, height }
}

function prototypesIn (text: string): NonNullable<Model['prototypes']> {
  const parsed = JSON.parse(text) as { prototypes?: unknown }
  return (parsed.prototypes ?? parsed) as NonNullable<Model['prototypes']>
}

const FAILURES = /fail|spaghetti|bad|defect|string|error|tangl|warp|blob|detach|shift|crack/i
const NEGATED = /^(no|not|non|un)[ _-]/i

function labelsOf ({ kind, count }: Answer, given: readonly string[] | undefined, stated: Stated,
  outputs: readonly Shape[]): readonly string[] {
  // Of one label nothing else would be worth a network.
  const usual = kind === 'embedding' ? ['success', 'failure'] : stated.labels ?? (count === 1 ? ['failure'] : undefined)
  const labels = given ?? usual
  if (labels !== undefined) return labels
  throw new Error(`Name the ${count === undefined ? 'classes' : `${count} classes`} of the network, in its order: ` +
    `--labels good,spaghetti (it has ${outputs.map(shapeText).join(', ')})`)
}

function failingOf (labels: readonly string[], given: readonly string[] | undefined): readonly string[] {
  const failing = given ?? labels.filter(label => FAILURES.test(label) && !NEGATED.test(label))
  const unknown = failing.filter(label => !labels.includes(label))
  if (failing.length > 0 && unknown.length === 0) return failing
  throw new Error(`Say which labels are failures, of ${labels.join(', ')}: --failing LABELS`)
}

/**
 * How each kind was made to see pictures. YOLO networks learn from whole pictures with grey bars, Obico's from
 * distorted ones. Classifiers and embeddings learn from square parts: tiles look the same to them, and together are
 * the picture.
 */
function fitOf ({ kind, boxes }: Answer): Fit {
  if (kind !== 'detection') return 'tiles'
  return boxes === 'corners' ? 'stretch' : 'letterbox'
}

/** @throws for an unknown kind of network, and for overrides that do not fit, with the shapes that were seen */
export function describeModel (source: string, { metadata = {}, ...facts }: Facts, inspection: Inspection,
  overrides: ModelOverrides): Model {
  const { inputs, outputs } = inspection
  const stated = statedIn(metadata)
  const input = inputOf(inputs)
  const hasPrototypes = overrides.prototypes !== undefined
  const sizes = { wanted: overrides.size, stated: stated.size }
  const open = sizeOf(input, { ...sizes, side: SIDES.yolov8 })
  const answer = recogniseAnswer(outputs, { ...overrides, hasPrototypes }, stated, open)
  if (answer.kind === 'embedding' && !hasPrototypes) throw new Error('An embedding needs its prototypes: --prototypes FILE')
  const labels = labelsOf(answer, overrides.labels, stated, outputs)
  checkLabels(labels, answer, outputs)
  const isYolo = answer.kind === 'detection' && answer.boxes !== 'corners'
  const side = answer.boxes === undefined ? USUAL_SIDE : SIDES[answer.boxes]
  const model: Model = {
    name: overrides.name ?? nameFor(source),
    kind: answer.kind,
    ...facts,
    licence: overrides.licence ?? facts.licence ?? UNKNOWN_LICENCE,
    ...sizeOf(input, { ...sizes, side }),
    fit: overrides.fit ?? fitOf(answer),
    layout: input.layout,
    ...(answer.boxes && { boxes: answer.boxes }),
    grey: answer.kind === 'embedding',
    ...normalisationOf(overrides, {
      isPlain: answer.kind === 'detection' || stated.isUltralytics,
      isBytes: input.type === 'uint8'
    }),
    labels: [...labels],
    failing: [...failingOf(labels, overrides.failing)],
    threshold: overrides.threshold ?? (isYolo ? THRESHOLD_OF_YOLO : THRESHOLD),
    ...(overrides.prototypes !== undefined && { prototypes: prototypesIn(overrides.prototypes) })
  }
  const problem = validationError(Model, model)
  if (problem !== undefined) throw new Error(`The properties of the network do not fit: ${problem}`)
  return model
}

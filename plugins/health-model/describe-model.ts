import { basename } from 'node:path'
import { validationError } from '../../core/index.js'
import type { Inspection } from './runtime/inference-messages.js'
import { Model, type Kind } from './types.js'

/** Properties of a network given by the user; the others are read from the file. */
export interface ModelOverrides {
  readonly name?: string
  readonly kind?: Kind
  readonly labels?: readonly string[]
  readonly failing?: readonly string[]
  readonly licence?: string
  readonly threshold?: number
  /** The text of a file `{ prototypes: { success, failure } }`. */
  readonly prototypes?: string
}

/** The default of Obico (ml_api/server.py). */
const THRESHOLD = 0.08
/** Mean and standard deviation of ImageNet, with which most encoders are trained. */
const MEAN = [0.485, 0.456, 0.406]
const STD = [0.229, 0.224, 0.225]
const UNKNOWN_LICENCE = 'not stated in the file: ask its publisher'

export const nameFor = (source: string): string => basename(source.split(/[?#]/)[0] ?? '').replace(/\.onnx$/i, '')
  .toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'model'

const fixed = (dim: number | string | undefined, otherwise: number): number =>
  typeof dim === 'number' && dim > 0 ? dim : otherwise

function prototypesIn (text: string): NonNullable<Model['prototypes']> {
  const parsed = JSON.parse(text) as { prototypes?: unknown }
  return (parsed.prototypes ?? parsed) as NonNullable<Model['prototypes']>
}

type Facts = Pick<Model, 'sha256' | 'bytes' | 'source' | 'addedAt'> & { readonly licence: string | undefined }

/** Number of labels: the last dimension of the certainties, which have three. */
const classesOf = (outputs: Inspection['outputs']): number =>
  fixed(outputs.find(({ dims }) => dims.length === 3 && dims.at(-1) !== 4)?.dims.at(-1), 1)

/** Of one label nothing else would be worth a network. */
function usualLabels (kind: Kind, outputs: Inspection['outputs']): readonly string[] | undefined {
  if (kind === 'embedding') return ['success', 'failure']
  const count = kind === 'detection' ? classesOf(outputs) : outputs[0]?.dims.at(-1)
  return count === 1 ? ['failure'] : undefined
}

/** @throws for an unknown kind of network, and for overrides that do not fit */
export function describeModel (source: string, facts: Facts, { inputs, outputs }: Inspection,
  overrides: ModelOverrides): Model {
  const [, channels, height, width] = inputs[0]?.dims ?? []
  if (inputs.length !== 1 || inputs[0]?.dims.length !== 4 || (channels !== 3 && typeof channels === 'number')) {
    throw new Error('A network must take one picture of three channels (1 x 3 x height x width)')
  }
  const hasBoxes = outputs.some(({ dims }) => dims.at(-1) === 4 && dims.length >= 3) && outputs.length >= 2
  const kind: Kind = overrides.kind ?? (overrides.prototypes !== undefined ? 'embedding' : hasBoxes ? 'detection' : 'classifier')
  const labels = overrides.labels ?? usualLabels(kind, outputs)
  if (labels === undefined) throw new Error('Name the classes of the network, in its order: --labels good,spaghetti')
  const failing = overrides.failing ?? labels.filter(label => /fail|spaghetti|bad|defect|string|error/i.test(label))
  const unknown = failing.filter(label => !labels.includes(label))
  if (failing.length === 0 || unknown.length > 0) {
    throw new Error(`Say which labels are failures, of ${labels.join(', ')}: --failing LABELS`)
  }
  const plain = kind === 'detection'
  const model: Model = {
    name: overrides.name ?? nameFor(source),
    kind,
    ...facts,
    licence: overrides.licence ?? facts.licence ?? UNKNOWN_LICENCE,
    width: fixed(width, plain ? 416 : 224),
    height: fixed(height, plain ? 416 : 224),
    fit: plain ? 'stretch' : 'centre',
    grey: kind === 'embedding',
    mean: plain ? [0, 0, 0] : MEAN,
    std: plain ? [1, 1, 1] : STD,
    labels: [...labels],
    failing: [...failing],
    threshold: overrides.threshold ?? THRESHOLD,
    ...(overrides.prototypes !== undefined && { prototypes: prototypesIn(overrides.prototypes) })
  }
  if (kind === 'embedding' && overrides.prototypes === undefined) throw new Error('An embedding needs its prototypes: --prototypes FILE')
  const problem = validationError(Model, model)
  if (problem !== undefined) throw new Error(`The properties of the network do not fit: ${problem}`)
  return model
}

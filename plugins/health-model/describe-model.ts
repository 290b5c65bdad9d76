import { basename } from 'node:path'
import { validationError } from '../../core/index.js'
import type { Inspection } from './runtime/messages.js'
import { Model, type Kind } from './types.js'

/** What the user says of a network; the rest is read from the file. */
export interface Wishes {
  readonly name?: string
  readonly kind?: Kind
  readonly labels?: readonly string[]
  readonly failing?: readonly string[]
  readonly licence?: string
  readonly threshold?: number
  /** The text of a file `{ prototypes: { success, failure } }`. */
  readonly prototypes?: string
}

/** Source: Obico, ml_api/server.py. */
const THRESHOLD = 0.08
/** Of the pictures that most encoders were trained with (ImageNet). */
const MEAN = [0.485, 0.456, 0.406]
const STD = [0.229, 0.224, 0.225]
const UNKNOWN_LICENCE = 'not stated in the file: ask whoever published it'

export const nameFor = (source: string): string => basename(source.split(/[?#]/)[0] ?? '').replace(/\.onnx$/i, '')
  .toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'model'

const fixed = (dim: number | string | undefined, otherwise: number): number =>
  typeof dim === 'number' && dim > 0 ? dim : otherwise

function prototypesIn (text: string): NonNullable<Model['prototypes']> {
  const parsed = JSON.parse(text) as { prototypes?: unknown }
  return (parsed.prototypes ?? parsed) as NonNullable<Model['prototypes']>
}

type Facts = Pick<Model, 'sha256' | 'bytes' | 'source' | 'addedAt'> & { readonly licence: string | undefined }

/** Certainties come in three dimensions, the last being the labels. */
const classesOf = (outputs: Inspection['outputs']): number =>
  fixed(outputs.find(({ dims }) => dims.length === 3 && dims.at(-1) !== 4)?.dims.at(-1), 1)

function usualLabels (kind: Kind, outputs: Inspection['outputs']): readonly string[] | undefined {
  if (kind === 'embedding') return ['success', 'failure']
  return kind === 'detection' && classesOf(outputs) === 1 ? ['failure'] : undefined
}

/** @throws when the network is of no kind that is known, or what is said of it does not fit */
export function describeModel (source: string, facts: Facts, { inputs, outputs }: Inspection, wishes: Wishes): Model {
  const [, channels, height, width] = inputs[0]?.dims ?? []
  if (inputs.length !== 1 || inputs[0]?.dims.length !== 4 || (channels !== 3 && typeof channels === 'number')) {
    throw new Error('A network takes one picture of three channels (1 x 3 x height x width)')
  }
  const hasBoxes = outputs.some(({ dims }) => dims.at(-1) === 4 && dims.length >= 3) && outputs.length >= 2
  const kind: Kind = wishes.kind ?? (wishes.prototypes !== undefined ? 'embedding' : hasBoxes ? 'detection' : 'classifier')
  const labels = wishes.labels ?? usualLabels(kind, outputs)
  if (labels === undefined) throw new Error('Name what the network tells apart, in its order: --labels good,spaghetti')
  const failing = wishes.failing ?? labels.filter(label => /fail|spaghetti|bad|defect|string|error/i.test(label))
  const unknown = failing.filter(label => !labels.includes(label))
  if (failing.length === 0 || unknown.length > 0) {
    throw new Error(`Say which labels are failures, of ${labels.join(', ')}: --failing LABELS`)
  }
  const plain = kind === 'detection'
  const model: Model = {
    name: wishes.name ?? nameFor(source),
    kind,
    ...facts,
    licence: wishes.licence ?? facts.licence ?? UNKNOWN_LICENCE,
    width: fixed(width, plain ? 416 : 224),
    height: fixed(height, plain ? 416 : 224),
    fit: plain ? 'stretch' : 'centre',
    grey: kind === 'embedding',
    mean: plain ? [0, 0, 0] : MEAN,
    std: plain ? [1, 1, 1] : STD,
    labels: [...labels],
    failing: [...failing],
    threshold: wishes.threshold ?? THRESHOLD,
    ...(wishes.prototypes !== undefined && { prototypes: prototypesIn(wishes.prototypes) })
  }
  if (kind === 'embedding' && wishes.prototypes === undefined) throw new Error('An embedding needs its prototypes: --prototypes FILE')
  const problem = validationError(Model, model)
  if (problem !== undefined) throw new Error(`What is said of the network does not fit: ${problem}`)
  return model
}

import { Type, type Static } from 'typebox'

export const KINDS = ['detection', 'embedding', 'classifier'] as const
export type Kind = (typeof KINDS)[number]

const SHA256 = '^[0-9a-f]{64}$'
const Channels = Type.Array(Type.Number(), { minItems: 3, maxItems: 3 })
const Side = Type.Integer({ minimum: 16, maximum: 2_048 })
const Embedding = Type.Array(Type.Number(), { minItems: 1, maxItems: 65_536 })
const Labels = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1_000 })

/** Stored beside the file of a network: its origin, and how to prepare its input and read its output. */
export const Model = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
  kind: Type.Enum(KINDS),
  sha256: Type.String({ pattern: SHA256 }),
  bytes: Type.Integer({ minimum: 1 }),
  source: Type.String({ maxLength: 2_000 }),
  licence: Type.String({ maxLength: 500 }),
  addedAt: Type.String(),
  width: Side,
  height: Side,
  /** Whether pictures are stretched to the size of the input, or cropped in the centre. */
  fit: Type.Enum(['stretch', 'centre']),
  grey: Type.Boolean(),
  mean: Channels,
  std: Channels,
  labels: Labels,
  /** The labels that mean a failure. */
  failing: Labels,
  /** Boxes with less certainty are ignored. */
  threshold: Type.Number({ minimum: 0.01, maximum: 0.99 }),
  prototypes: Type.Optional(Type.Object({ success: Embedding, failure: Embedding }))
})
export type Model = Static<typeof Model>

/** A box in fractions of the picture. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly score: number
  readonly label: string
}

/** The result of a network for one picture. */
export interface Reading {
  /** 0 upwards for detections (the sum of their certainties), 0 to 1 for the others, 0 being no failure. */
  readonly value: number
  readonly boxes: readonly Box[]
}

export interface Output {
  readonly name: string
  readonly dims: readonly number[]
  readonly data: Float32Array
}

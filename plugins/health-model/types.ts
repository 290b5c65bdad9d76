import { Type, type Static } from 'typebox'

/** Name of the network that comes with prnd. */
export const BUILT_IN = 'built-in'

export const KINDS = ['detection', 'embedding', 'classifier'] as const
export type Kind = (typeof KINDS)[number]

/**
 * How a picture is brought to the shape of the input: distorted; whole with grey bars; the largest middle part; that
 * part less an eighth; several parts that together are the whole picture, of which the worst counts; or whole in an
 * input of about as many pixels, for networks that take any size.
 */
export const FITS = ['stretch', 'letterbox', 'crop', 'centre', 'tiles', 'whole'] as const
export type Fit = (typeof FITS)[number]

/**
 * How a detection answers: corners and certainties apart, in fractions, as Obico's network; `[1, 4 + labels, N]` as
 * YOLOv8 and later; `[1, N, 5 + labels]` as YOLOv5; or `[1, N, 6]`, of which overlapping ones are removed.
 */
export const BOX_FORMATS = ['corners', 'yolov8', 'yolov5', 'final'] as const
export type BoxFormat = (typeof BOX_FORMATS)[number]

export const LAYOUTS = ['nchw', 'nhwc'] as const

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
  fit: Type.Enum(FITS),
  /** Of the input; `nchw` when left out. */
  layout: Type.Optional(Type.Enum(LAYOUTS)),
  /** `corners` when left out. */
  boxes: Type.Optional(Type.Enum(BOX_FORMATS)),
  grey: Type.Boolean(),
  /** Taken off channels that are 0 to 1, which are then divided by `std`. */
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

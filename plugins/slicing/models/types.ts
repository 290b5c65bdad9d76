/** What is wrong with a model, in words for the person who has it. */
export interface ModelProblem {
  /** Lower case with hyphens; never changes its meaning. */
  readonly code: string
  /** `stop`: cannot be sliced; `repair`: can be sliced after a repair; `note`: good to know. */
  readonly weight: 'stop' | 'repair' | 'note'
  readonly message: string
  readonly remedy: string
  /** What the message states, for programs. */
  readonly figures: Readonly<Record<string, number | string>>
}

/** A body of a file: a solid, a group, or an object on the build plate. */
export interface ModelPart {
  /** Within the file, from 0. */
  readonly index: number
  readonly name: string
  readonly triangles: number
  readonly sizeMm: readonly [number, number, number]
  /** Enclosed by the surface; of an open one an estimate. */
  readonly volumeMm3: number
  readonly isClosed: boolean
  readonly problems: readonly ModelProblem[]
}

export interface ModelReport {
  readonly format: ModelFormat
  /** As the file states it; `millimeter` is assumed where a format has none. */
  readonly unit: string
  readonly parts: readonly ModelPart[]
  /** Of the file as a whole. */
  readonly problems: readonly ModelProblem[]
}

export type ModelFormat = 'stl' | 'obj' | '3mf'

/** A model on the bed. It is scaled, then rotated, then laid on a flat side, then lowered to the bed. */
export interface PlacedPart {
  /** Path of the file. */
  readonly model: string
  /** Index in the report; absent: all parts of the file, in the positions that the file gives them. */
  readonly part?: number
  readonly name: string
  /** Default 1. */
  readonly scale?: number
  /** About the axes x, y and z of the bed, in this order. */
  readonly rotateDeg?: readonly [number, number, number]
  /** Default false: the surface is used as it is. */
  readonly repair?: boolean
  /** Lays the largest flat side down that the model can stand on. Default false. */
  readonly orient?: boolean
  /** Default 1. */
  readonly copies?: number
  /** Centre of its box on the bed, mm; of one copy. Absent: arranged. */
  readonly at?: readonly [number, number]
  /** In pictures, `#RRGGBB`. */
  readonly color?: string
}

/** A rectangle of the bed, mm. */
export interface BedArea {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

export interface PlacePlan {
  readonly parts: readonly PlacedPart[]
  /** Width, depth and height that can be printed on. */
  readonly bedMm: readonly [number, number, number]
  readonly excluded: readonly BedArea[]
  /** Between parts, and between parts and excluded areas. */
  readonly spacingMm: number
  /** Along the edge of the bed. */
  readonly marginMm: number
  /** Exists and is empty: results are written here. */
  readonly folder: string
}

export interface PlacedInstance {
  /** From 1; the colour of its pixels in the picture `pick`. */
  readonly id: number
  readonly name: string
  /** Binary STL in the folder, in coordinates of the bed: mm, lowest z = 0. */
  readonly file: string
  readonly box: readonly [minX: number, minY: number, maxX: number, maxY: number]
  readonly heightMm: number
  readonly triangles: number
}

/** An instance, and which part of the plan it is a copy of. */
export interface PlacedCopy extends PlacedInstance {
  /** Index in the plan. */
  readonly part: number
  /** By 90° about z, because it takes less room so. */
  readonly isTurned: boolean
}

/** PNG files in the folder, by name. */
export interface PlatePictures {
  /** From the front and above, 512 px. */
  readonly plate: string
  /** The same, 128 px. */
  readonly small: string
  /** The whole bed from straight above, 512 px. */
  readonly top: string
  /** As `top`; each instance has one colour: R + 256·G + 65536·B is its id. */
  readonly pick: string
}

export interface Placement {
  readonly instances: readonly PlacedCopy[]
  readonly pictures: PlatePictures
  /** Of the parts as they were placed, each named in its message. */
  readonly problems: readonly ModelProblem[]
}

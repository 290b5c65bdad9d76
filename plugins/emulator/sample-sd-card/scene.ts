/** An object on a plate: a block or a cylinder, positioned relative to the middle of the bed, in mm. */
export interface Thing {
  readonly name: string
  readonly shape: 'block' | 'round'
  /** Of its middle, from the middle of the bed. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly depth: number
  readonly height: number
  /** Filament that most of it is made of, from 1. */
  readonly filament: number
}

export interface Material {
  readonly id: number
  readonly type: string
  readonly color: string
  /** The vendor's id. */
  readonly infoIdx: string
}

export interface PlateScene {
  readonly number: number
  readonly name: string
  readonly things: readonly Thing[]
  /** Filaments in use. */
  readonly filaments: readonly number[]
  readonly minutes: number
  readonly layers: number
  readonly grams: number
  /** Whether there is a prime tower. */
  readonly tower?: boolean
  /** False: laid out, and never sliced. @default true */
  readonly sliced?: boolean
}

export interface ProjectScene {
  readonly path: string
  readonly materials: readonly Material[]
  readonly plates: readonly PlateScene[]
  /** Logical extruder of each filament, from 1. @default the only one, or the right one of two */
  readonly extruders?: readonly number[]
}

/** The printer that a project is made for. */
export interface Target {
  readonly product: string
  readonly code: string
  readonly bed: readonly [width: number, depth: number]
  readonly extruders: 1 | 2
}

/** An object with its bounds on the bed and its id. */
export interface Placed extends Thing {
  readonly id: number
  /** x and y, smallest then largest, mm from the lower left corner. */
  readonly bounds: readonly [number, number, number, number]
}

const FIRST_ID = 71
const ID_STEP = 47
const PLATE_STEP = 1_000

const round = (value: number): number => Math.round(value * 100) / 100

export const place = ({ number, things }: PlateScene, [width, depth]: Target['bed']): readonly Placed[] =>
  things.map((thing, at) => {
    const [left, front] = [width / 2 + thing.x - thing.width / 2, depth / 2 + thing.y - thing.depth / 2]
    return {
      ...thing,
      id: (number - 1) * PLATE_STEP + FIRST_ID + at * ID_STEP,
      bounds: [round(left), round(front), round(left + thing.width), round(front + thing.depth)]
    }
  })

const TOWER_MM = 22

/** Bounds of the prime tower, in the far left corner. */
export const towerBounds = ([, depth]: Target['bed']): Placed['bounds'] =>
  [14, depth - 20 - TOWER_MM, 14 + TOWER_MM, depth - 20]

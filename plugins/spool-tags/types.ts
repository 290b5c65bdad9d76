import type { TagFormat } from './tag-formats.data.js'

export type Range = readonly [low: number, high: number]

/** What a tag says of its spool, in whichever format; what it does not say is empty or undefined. */
export interface TagFacts {
  readonly brand: string
  readonly name: string
  /** With its modifier: `PLA-CF`. */
  readonly material: string
  /** `#RRGGBB`. */
  readonly color: string
  readonly nozzleC: Range | undefined
  readonly bedC: Range | undefined
  /** Filament on it when new, and what was used since, g. */
  readonly netGrams: number | undefined
  readonly usedGrams: number | undefined
  readonly diameterMm: number | undefined
  /** g/cm³. */
  readonly density: number | undefined
  /** Id of the spool, where this service wrote it. */
  readonly spool: string
  /** Serial number or instance, as its maker wrote it. */
  readonly serial: string
}

export interface DecodedTag {
  readonly format: TagFormat
  readonly version: string
  readonly facts: TagFacts
  readonly warnings: readonly string[]
}

/** What is written to a tag. */
export interface TagContent extends TagFacts {
  readonly colorName: string
}

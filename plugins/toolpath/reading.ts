import type { ObjectUses } from './object-use.js'
import type { Facts } from './plate-facts.js'
import type { Finding, PlateRead } from './findings/types.js'

/** All that is known of a plate's file once it was read; its track is in a file of its own. */
export interface Reading {
  readonly plate: PlateRead
  readonly facts: Facts
  readonly objects: ObjectUses
  /** Worst first. */
  readonly findings: readonly Finding[]
  /** Whether the printer's limits of speed and acceleration are those of the file, or assumed: the file names none. */
  readonly limits: 'file' | 'assumed'
  /** Of the whole print, by our clock; without heating up, which only the printer knows. */
  readonly seconds: number
  readonly track: {
    readonly bytes: number
    /** By layer: where its chunks begin. */
    readonly starts: readonly number[]
    /** False if it ends before the print, because it would have been too long. */
    readonly isWhole: boolean
  }
}

/** Moves of one layer, one object and one target of the nozzle, in order. */
export interface TrackChunk {
  /** From 1; 0 before the first. */
  readonly layer: number
  /** As the slicer numbers it; 0 for none. */
  readonly object: number
  /** Of the first segment, in the file. */
  readonly line: number
  readonly count: number
  /** Target of the nozzle; 0 if it is off or not known. */
  readonly celsius: number
  /** Where the first segment begins: x, y, z in mm. */
  readonly start: Float32Array
  /** Where each segment ends, mm. */
  readonly x: Float32Array
  readonly y: Float32Array
  readonly z: Float32Array
  /** mm of filament; negative for a retraction. */
  readonly extruded: Float32Array
  /** 0.1 mm/s. */
  readonly speed: Uint16Array
  /** Place in the list of features. */
  readonly feature: Uint8Array
  /** From 0. */
  readonly tool: Uint8Array
  /** 1 wipe, 2 may be skipped, 4 part of an arc, 8 while the filament is changed. */
  readonly flags: Uint8Array
}

/** The chunks of a track. @throws Error for bytes that are none */
export function decodeTrack (given: ArrayBuffer | Uint8Array): TrackChunk[]

export interface DecodedChunk {
  readonly chunk: TrackChunk
  /** Where the next one begins. */
  readonly end: number
}

/** The chunk at a multiple of 4; undefined if the bytes, which must be aligned to 4, end before it does. */
export function decodeChunk (bytes: Uint8Array, at: number): DecodedChunk | undefined

import type { Recording } from './schemas.js'

/** Recordings that are not finished, by id. */
export interface InTheMaking {
  readonly recordings: readonly Recording[]
  set (recording: Recording): void
  delete (id: string): void
}

/** @param onChanged told of each that begins or changes */
export function createInTheMaking (onChanged: (recording: Recording) => void): InTheMaking {
  const known = new Map<string, Recording>()
  return {
    get recordings () { return [...known.values()] },
    set (recording) {
      known.set(recording.id, recording)
      onChanged(recording)
    },
    delete: id => { known.delete(id) }
  }
}

import type { Recording } from './schemas.js'

/** Unfinished recordings, by id. */
export interface PendingRecordings {
  readonly recordings: readonly Recording[]
  set (recording: Recording): void
  delete (id: string): void
}

/** @param onChanged called for each recording that begins or changes */
export function createPendingRecordings (onChanged: (recording: Recording) => void): PendingRecordings {
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

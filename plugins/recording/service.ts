import type { PrinterSession } from '../../core/index.js'
import { NoRecording, RecordingUnfinished, TimelapseGoesOn } from './errors.js'
import type { PendingRecordings } from './pending-recordings.js'
import { pageOf, type RecordingPage, type RecordingFilter } from './recording-page.js'
import type { Recorder } from './recorder.js'
import type { Recording } from './schemas.js'
import type { SettingsStore } from './settings.js'
import { videoName, type RecordingStore } from './store.js'

/** The API of this plugin for other plugins and its operations. */
export interface RecordingService {
  /** Newest first, unfinished ones included. @throws PRN_ERR_BAD_INPUT */
  list (filter: RecordingFilter, limit: number, cursor?: string): RecordingPage
  /** @throws PRN_ERR_NO_RECORDING */
  get (id: string): Recording
  /** The video on disk. @throws PRN_ERR_NO_RECORDING, PRN_ERR_RECORDING_UNFINISHED */
  fileOf (id: string): { readonly folder: string, readonly name: string, readonly recording: Recording }
  /** @throws PRN_ERR_NO_RECORDING, PRN_ERR_RECORDING_UNFINISHED */
  remove (id: string): Promise<Recording>
  /** @throws PRN_ERR_ALREADY_RECORDING, PRN_ERR_NO_CAMERA, PRN_ERR_NOT_CONNECTED */
  start (session: PrinterSession, seconds: number): Recording
  /** Ends a recording early. @throws PRN_ERR_NO_RECORDING, PRN_ERR_TIMELAPSE_GOES_ON */
  stop (id: string): Recording
  readonly settings: Pick<SettingsStore, 'of' | 'change'>
}

interface Parts {
  readonly store: RecordingStore
  readonly pendingRecordings: PendingRecordings
  readonly recorder: Recorder
  readonly settings: SettingsStore
}

export function createRecordingService ({ store, pendingRecordings, recorder, settings }: Parts): RecordingService {
  /** Each recording once: a stored one may also be pending, during cleanup or while its encoding is retried. */
  function all (): readonly Recording[] {
    const ready = new Set(store.recordings.filter(({ status }) => status === 'ready').map(({ id }) => id))
    const making = pendingRecordings.recordings.filter(({ id }) => !ready.has(id))
    const unfinished = new Set(making.map(({ id }) => id))
    return [...making, ...store.recordings.filter(({ id }) => !unfinished.has(id))]
  }

  function get (id: string): Recording {
    const found = all().find(recording => recording.id === id)
    if (found === undefined) throw new NoRecording(id)
    return found
  }

  return {
    list: (filter, limit, cursor) => pageOf(all(), filter, limit, cursor),
    get,
    fileOf (id) {
      const recording = get(id)
      if (recording.status !== 'ready') throw new RecordingUnfinished(id, recording.status)
      return { folder: store.folder, name: videoName(id), recording }
    },
    async remove (id) {
      const recording = get(id)
      if (recording.status === 'recording' || recording.status === 'encoding') {
        throw new RecordingUnfinished(id, recording.status)
      }
      await store.remove(id)
      return recording
    },
    start: (session, seconds) => recorder.start(session, seconds),
    stop (id) {
      const recording = get(id)
      if (recording.kind === 'timelapse' && recording.status === 'recording') throw new TimelapseGoesOn(id)
      return recorder.stop(id) ?? recording
    },
    settings
  }
}

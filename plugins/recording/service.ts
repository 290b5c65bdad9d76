import type { PrinterSession } from '../../core/index.js'
import { NoRecording, RecordingUnfinished, TimelapseGoesOn } from './errors.js'
import type { InTheMaking } from './in-the-making.js'
import { pageOf, type Page, type Wanted } from './listing.js'
import type { Recorder } from './recorder.js'
import type { Recording } from './schemas.js'
import type { SettingsStore } from './settings.js'
import { videoName, type RecordingStore } from './store.js'

/** What other plugins and the surfaces may do with recordings. */
export interface RecordingService {
  /** Newest first, unfinished ones included. @throws PRN_ERR_BAD_INPUT */
  list (wanted: Wanted, limit: number, cursor?: string): Page
  /** @throws PRN_ERR_NO_RECORDING */
  get (id: string): Recording
  /** The video on disk. @throws PRN_ERR_NO_RECORDING, PRN_ERR_RECORDING_UNFINISHED */
  fileOf (id: string): { readonly folder: string, readonly name: string, readonly recording: Recording }
  /** @throws PRN_ERR_NO_RECORDING, PRN_ERR_RECORDING_UNFINISHED */
  remove (id: string): Promise<Recording>
  /** @throws PRN_ERR_ALREADY_RECORDING, PRN_ERR_NO_CAMERA, PRN_ERR_NOT_CONNECTED */
  start (session: PrinterSession, seconds: number): Recording
  /** Takes no more pictures. @throws PRN_ERR_NO_RECORDING, PRN_ERR_TIMELAPSE_GOES_ON */
  stop (id: string): Recording
  readonly settings: Pick<SettingsStore, 'of' | 'change'>
}

interface Parts {
  readonly store: RecordingStore
  readonly inTheMaking: InTheMaking
  readonly recorder: Recorder
  readonly settings: SettingsStore
}

export function createRecordingService ({ store, inTheMaking, recorder, settings }: Parts): RecordingService {
  /** Each once: one is in the making until its last traces are gone, and again when another attempt is made. */
  function all (): readonly Recording[] {
    const ready = new Set(store.recordings.filter(({ status }) => status === 'ready').map(({ id }) => id))
    const making = inTheMaking.recordings.filter(({ id }) => !ready.has(id))
    const unfinished = new Set(making.map(({ id }) => id))
    return [...making, ...store.recordings.filter(({ id }) => !unfinished.has(id))]
  }

  function get (id: string): Recording {
    const found = all().find(recording => recording.id === id)
    if (found === undefined) throw new NoRecording(id)
    return found
  }

  return {
    list: (wanted, limit, cursor) => pageOf(all(), wanted, limit, cursor),
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
    start: recorder.start,
    stop (id) {
      const recording = get(id)
      if (recording.kind === 'timelapse' && recording.status === 'recording') throw new TimelapseGoesOn(id)
      return recorder.stop(id) ?? recording
    },
    settings
  }
}

import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import {
  createKeyedQueue, defineLiveTopic, definePlugin, Unsupported, type LiveTopic, type Plugin, type PrinterSession,
  type Services
} from '../../core/index.js'
import type {} from '../alerts/index.js' // types of the event `alert`
import { EvidenceRecording } from './evidence-recording.js'
import { createPendingRecordings } from './pending-recordings.js'
import { createKeepConnected } from './keep-connected.js'
import type { Encode } from './live-recording.js'
import { readRecordingFile } from './operations.js'
import { recordingsPage } from './pages.js'
import { createRecentShots } from './recent-shots.js'
import { Recorder } from './recorder.js'
import routes from './routes.js'
import type { Recording } from './schemas.js'
import { createRecordingService, type RecordingService } from './service.js'
import { openSettings } from './settings.js'
import { openRecordingStore } from './store.js'
import { createTimelapse, type Timelapse } from './timelapse/index.js'
import tools from './tools.js'
import { serveVideos, serveVideosAtHub } from './video-route.js'

type Cameras = Pick<Services['camera'], 'protocol' | 'tap' | 'hold' | 'latestFrame' | 'findDecoder'>

const refusal = () => new Unsupported('The camera plugin is switched off: nothing can be recorded')

/** Used if the camera plugin is switched off: existing recordings can still be played and deleted. */
const WITHOUT_CAMERA: Cameras = {
  protocol: () => undefined,
  tap: () => () => {},
  hold () { throw refusal() },
  latestFrame: async () => { throw refusal() },
  findDecoder: async () => { throw refusal() }
}

export type { AlertMark, Recording, Settings } from './schemas.js'
export type { RecordingService } from './service.js'

declare module 'prnd' {
  interface Services { recording: RecordingService }
  interface Events {
    /** A recording began, changed, was stored, or failed. */
    recording: [recording: Recording]
    /** A recording was deleted, by a user or to make room. */
    'recording:removed': [recording: Recording]
  }
}

const Options = Type.Object({
  evidence: Type.Boolean({
    default: true,
    description: 'Record clips of failures, unless a printer has its own setting'
  }),
  keepConnected: Type.Boolean({
    default: false,
    description: 'Keep cameras connected during jobs, unless a printer has its own setting'
  }),
  maxMiB: Type.Integer({ minimum: 16, default: 2048, description: 'Limit of all recordings; the oldest are deleted first' }),
  keepFreeMiB: Type.Integer({ minimum: 0, default: 1024, description: 'Disk space to leave free' })
})

/** Options for presets and tests, not for the configuration file. */
interface PresetOverrides {
  /** How long before the alert evidence begins. */
  readonly beforeMs?: number
  /** How long it continues after the alert. */
  readonly afterMs?: number
  /** How long a manual recording waits for its first picture. */
  readonly connectMs?: number
}

const MIB = 1024 * 1024
const FRESH_MS = 2_000

const recordingTopic: LiveTopic = defineLiveTopic({
  name: 'recordings',
  description: 'Recordings as they begin, change and end',
  every: true,
  watch: ({ events }, send) => events.on('recording', recording => send(recording.printer, recording))
})

/** Clips of failures, recordings on demand, timelapses. */
export const recordingWith = ({ beforeMs = 30_000, afterMs = 10_000, connectMs = 30_000 }: PresetOverrides = {}):
Plugin<typeof Options> =>
  definePlugin({
    name: 'recording',
    version: '2.0.0',
    kernel: '^2.0.0',
    description: 'Evidence of failures, recordings on demand, timelapses',
    needs: ['http'],
    optional: ['camera'],
    provides: ['recording'],
    uses: ['camera', 'disk'],
    options: Options,
    contributes: {
      routes, tools, operations: [readRecordingFile], liveTopics: [recordingTopic], pages: [recordingsPage]
    },
    async setup ({ app, kernel, log, options, printers, events, optional, signal, folder, provide, onClose }) {
      const { now, dataDir } = kernel
      const camera = optional.camera ?? WITHOUT_CAMERA
      const encode = createEncode()
      const emitRecording = (recording: Recording) => events.emit('recording', recording)
      const pendingRecordings = createPendingRecordings(emitRecording)
      const onRemoved = (recording: Recording) => events.emit('recording:removed', recording)
      const store = await openRecordingStore({ ...boundsOf(options), dataDir, log, onRemoved })
      const settings = await openSettings(join(await folder(), 'settings.json'),
        { evidence: options.evidence, keep_connected: options.keepConnected }, message => log.warn(message), review)
      const { findDecoder } = camera
      const common = { store, pendingRecordings, findDecoder, encode, onStored: emitRecording, signal, now, log }
      const recorder = new Recorder({ ...common, hold: camera.hold, afterMs, connectMs })
      const isWanted = (printer: string) => settings.of(printer).evidence
      const recent = createRecentShots({
        camera, isWanted, onShot: (session, shot) => recorder.push(session, shot), now, spanMs: beforeMs
      })
      const evidence = new EvidenceRecording({ camera, recorder, recent, isWanted, now })
      const connected = createKeepConnected(printer => settings.of(printer).keep_connected, camera.hold)
      const timelapse: Timelapse = await createTimelapse({
        ...common,
        settingsOf: settings.of,
        isConfigured: name => printers.names.includes(name),
        frame: session =>
          camera.latestFrame(session, { maxAgeMs: FRESH_MS, signal: AbortSignal.any([signal, session.signal]) })
      })

      function attempt (what: Promise<unknown>): void {
        what.catch((error: unknown) => log.error({ err: error }, 'a file of the recordings could not be changed'))
      }
      function review (printer: string): void {
        recent.review(printer)
        connected.review(printer)
        if (!isWanted(printer)) recorder.endEvidence(printer)
      }

      printers.eachLocal((session: PrinterSession) => {
        const off = [recent, connected, timelapse, evidence].map(part => part.follow(session))
        return () => {
          recorder.end(session)
          for (const undo of off) undo()
        }
      })
      events.on('alert', alert => {
        const session = printers.get(alert.printer)
        if (session !== undefined) evidence.alerted(session, alert)
      })
      events.on('printer:forgotten', printer => {
        evidence.forget(printer)
        timelapse.forget(printer)
        attempt(settings.forget(printer))
      })
      events.on('recording:removed', ({ id }) => attempt(timelapse.discard(id)))
      provide('recording', createRecordingService({ store, pendingRecordings, recorder, settings }))
      serveVideos(app, kernel)
      app.addHook('preClose', async () => { await recorder.close() }) // before the camera plugin closes
      onClose(async () => {
        recent.close()
        await Promise.all([recorder.close(), timelapse.close(), settings.settled()])
      })
    }
  })

const boundsOf = ({ maxMiB, keepFreeMiB }: Static<typeof Options>) =>
  ({ maxBytes: maxMiB * MIB, keepFreeBytes: keepFreeMiB * MIB })

/** Encodes one video at a time, since each takes a full core. */
function createEncode (): Encode {
  const queue = createKeyedQueue<symbol>(1)
  return async (work, signal) => await queue.run(Symbol('encoding'), work, signal)
}

/** For a hub: recordings are stored at the nodes and requested from there. */
export const recordingAtHub = definePlugin({
  name: 'recording',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Evidence of failures, recordings on demand, timelapses',
  needs: ['http'],
  contributes: { routes, tools, operations: [readRecordingFile], pages: [recordingsPage] },
  setup ({ app, kernel }) {
    serveVideosAtHub(app, kernel)
  }
})

export default recordingWith()

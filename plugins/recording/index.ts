import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import {
  createKeyedQueue, defineLiveTopic, definePlugin, Unsupported, type LiveTopic, type Plugin, type PrinterSession,
  type Services
} from '../../core/index.js'
import type {} from '../alerts/index.js' // the event alert, where that plugin is loaded
import { asksForEvidence, createUnalertedErrors, markOf, unalertedMark } from './evidence.js'
import { createInTheMaking } from './in-the-making.js'
import { createKeepConnected } from './keep-connected.js'
import type { Encode } from './live-recording.js'
import { readRecordingFile } from './operations.js'
import { recordingsPage } from './pages.js'
import { createRecentShots } from './recent-shots.js'
import { createRecorder } from './recorder.js'
import routes from './routes.js'
import type { AlertMark, Recording } from './schemas.js'
import { createRecordingService, type RecordingService } from './service.js'
import { openSettings } from './settings.js'
import { openRecordingStore } from './store.js'
import { createTimelapse, type Timelapse } from './timelapse/index.js'
import tools from './tools.js'
import { serveVideos, serveVideosAtHub } from './video-route.js'

/** What recordings need of cameras. */
type Cameras = Pick<Services['camera'], 'protocol' | 'tap' | 'hold' | 'latestFrame' | 'findDecoder'>

const refusal = () => new Unsupported('The camera plugin is switched off: nothing can be recorded')

/** In place of the camera plugin where it is switched off: what was recorded before can be played and deleted. */
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
    /** A recording began, changed, is kept or has failed. */
    recording: [recording: Recording]
    /** A recording was deleted, by somebody or because room was needed. */
    'recording:removed': [recording: Recording]
  }
}

const Options = Type.Object({
  evidence: Type.Boolean({
    default: true,
    description: 'Keep clips of failures, where a printer has no setting of its own'
  }),
  keepConnected: Type.Boolean({
    default: false,
    description: 'Keep cameras connected during jobs, where a printer has no setting of its own'
  }),
  maxMiB: Type.Integer({ minimum: 16, default: 2048, description: 'Of all recordings; the oldest go first' }),
  keepFreeMiB: Type.Integer({ minimum: 0, default: 1024, description: 'Of the disk, which recordings leave free' })
})

/** What a preset or a test may set that no operator writes down. */
interface PresetOverrides {
  /** How long evidence begins before the alert. */
  readonly beforeMs?: number
  /** How long it goes on after it. */
  readonly afterMs?: number
  /** How long a recording that was asked for waits for its first picture. */
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

/** Clips of what went wrong, recordings on demand, timelapses. */
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
      const tell = (recording: Recording) => events.emit('recording', recording)
      const inTheMaking = createInTheMaking(tell)
      const onRemoved = (recording: Recording) => events.emit('recording:removed', recording)
      const store = await openRecordingStore({ ...boundsOf(options), dataDir, log, onRemoved })
      const settings = await openSettings(join(await folder(), 'settings.json'),
        { evidence: options.evidence, keep_connected: options.keepConnected }, message => log.warn(message), review)
      const common = { store, inTheMaking, findDecoder: camera.findDecoder, encode, onStored: tell, signal, now, log }
      const recorder = createRecorder({ ...common, hold: camera.hold, afterMs, connectMs })
      const isWanted = (printer: string) => settings.of(printer).evidence
      const recent = createRecentShots({ camera, isWanted, onShot: recorder.push, now, spanMs: beforeMs })
      const unalerted = createUnalertedErrors()
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
      function keepEvidence (session: PrinterSession, mark: AlertMark): void {
        if (camera.protocol(session) === undefined || !isWanted(session.name)) return
        recorder.keep(session, mark, recent.last(session))
      }

      printers.eachLocal((session: PrinterSession) => {
        const off = [recent, connected, timelapse].map(part => part.follow(session))
        off.push(session.events.on('state', state => {
          const at = now()
          if (unalerted.see(session.name, state, at)) keepEvidence(session, unalertedMark(at))
        }))
        return () => {
          recorder.end(session)
          for (const undo of off) undo()
        }
      })
      events.on('alert', alert => {
        const session = printers.get(alert.printer)
        if (session !== undefined && asksForEvidence(alert, session.state)) keepEvidence(session, markOf(alert))
      })
      events.on('printer:forgotten', printer => {
        unalerted.forget(printer)
        timelapse.forget(printer)
        attempt(settings.forget(printer))
      })
      events.on('recording:removed', ({ id }) => attempt(timelapse.discard(id)))
      provide('recording', createRecordingService({ store, inTheMaking, recorder, settings }))
      serveVideos(app, kernel)
      app.addHook('preClose', async () => { await recorder.close() }) // before the cameras go
      onClose(async () => {
        recent.close()
        await Promise.all([recorder.close(), timelapse.close(), settings.settled()])
      })
    }
  })

const boundsOf = ({ maxMiB, keepFreeMiB }: Static<typeof Options>) =>
  ({ maxBytes: maxMiB * MIB, keepFreeBytes: keepFreeMiB * MIB })

/** One at a time: it takes all of a core, whatever else the machine does. */
function createEncode (): Encode {
  const queue = createKeyedQueue<symbol>(1)
  return async (work, signal) => await queue.run(Symbol('encoding'), work, signal)
}

/** The same for a hub: recordings lie where the printers are, and are asked for there. */
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

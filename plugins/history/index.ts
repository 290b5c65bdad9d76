import { defineLiveTopic, definePage, definePlugin, type Plugin } from '../../core/index.js'
import type {} from '../alerts/index.js' // its events, if that plugin is loaded
import type {} from '../camera/index.js'
import type {} from '../recording/index.js'
import { warningTexts } from '../projects/index.js'
import { findingTexts } from '../toolpath/index.js'
import { PrintDetails } from './details/index.js'
import { Keeping } from './keeping.js'
import { migrations } from './migrations/index.js'
import { Options } from './options.js'
import { PriceList } from './price-list.js'
import { PrintRecording } from './print-recording.js'
import { RetentionRuns } from './retention.js'
import routes from './routes.js'
import { createHistoryService, type History } from './service.js'
import { openStateFiles } from './state-files.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import type { Print } from './types.js'

export { csvLine } from './export.js'
export { placeInWords, placeName } from './places.js'
export type { EnergySum, PrintEnergy, PrintView } from './schemas.js'
export type { EnergyMeter, FileOffer, History, RunningPrint } from './service.js'
export { pieceId } from './tables.js'
export type { FilamentUse, JobIdentity, Print, PrintFault, PrintTimes, Result } from './types.js'

declare module 'prnd' {
  interface Services { history: History }
  interface Events {
    /** A print began, changed its state, or ended, according to `print.result`. */
    'history:print': [printer: string, print: Print]
    /** A print turned out to have ended while no service watched its printer. */
    'history:ended-unseen': [printer: string, print: Print]
  }
}

const HOUR_MS = 3_600_000
/** Another service on the database may have changed them. */
const PRICES_MS = 30_000
/** Printers report about once a second. */
const SAMPLE_MS = 1_000

const topic = defineLiveTopic({
  name: 'history',
  description: 'A print began, changed its state, or ended',
  every: true,
  watch: ({ events }, send) => events.on('history:print', (printer, { id, job, state, result, percent }) =>
    send(printer, { id, name: job.subtaskName, state, result, percent }))
})

const page = definePage({
  id: 'history',
  path: '/history',
  icon: 'history',
  order: 40,
  key: 'h',
  texts: {
    en: { ...texts.en, ...findingTexts.en, ...warningTexts.en },
    de: { ...texts.de, ...findingTexts.de, ...warningTexts.de },
    zh: { ...texts.zh, ...findingTexts.zh, ...warningTexts.zh }
  },
  content: { files: 'history' }
})

/** Overrides for tests that are no configuration options. */
interface Timing {
  /** Interval between samples of running prints. */
  readonly sampleMs?: number
  /** Interval between runs of the retention. */
  readonly retainMs?: number
}

/** The record of all prints, with telemetry, events and pictures. */
export const historyWith = ({ sampleMs = SAMPLE_MS, retainMs = HOUR_MS }: Timing = {}): Plugin<typeof Options> =>
  definePlugin({
    name: 'history',
    version: '2.0.0',
    kernel: '^2.0.0',
    description: 'A record of every print, across restarts',
    needs: ['database', 'http', 'live'],
    optional: ['alerts', 'projects', 'files', 'camera', 'recording', 'toolpath'],
    provides: ['history'],
    uses: ['disk', 'files', 'camera'],
    contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page] },
    options: Options,
    async setup (context) {
      const { options, services: { database }, optional, kernel, log, printers, events, folder, signal } = context
      const { now, redact } = kernel
      const priceList = new PriceList({ database, now, inFile: options.prices ?? {} })
      const keeping = new Keeping({ database, now, inFile: options })
      const steady = () => performance.now() / 1000
      const problem = (what: string) => (error: Error) => { log.debug({ err: error }, what) }
      const files = await openStateFiles(await folder(), message => log.warn(message))
      const details = new PrintDetails({
        database, optional, folder, signal, redact, now, steady, problem, running: () => recording.running()
      })
      const recording = new PrintRecording({
        kernel,
        printers,
        events,
        database,
        optional,
        files,
        details,
        prices: () => priceList.prices,
        steady,
        onReady: context.onReady,
        onUnstored: problem('not stored'),
        onUnread: problem('the plate of a print cannot be read'),
        onProblem: error => log.warn({ err: error }, 'earlier prints cannot be compared with the record')
      })
      details.follow(events, printer => recording.newest(printer))
      const retention = new RetentionRuns(async () => ({
        bounds: await keeping.read(),
        now: now(),
        query: database.query,
        onGone: async ids => { for (const id of ids) await details.pictures.drop(id) },
        signal
      }), problem('old records cannot be removed now'))
      const readPrices = () => {
        if (printers.names.length > 0) priceList.read().catch(problem('prices cannot be read now'))
      }
      const timers = [
        setInterval(() => details.sample(), sampleMs),
        setInterval(() => recording.readProjects(), sampleMs),
        setInterval(() => recording.readPlates(), sampleMs),
        setInterval(() => retention.begin(), retainMs),
        setInterval(readPrices, PRICES_MS)
      ]
      for (const timer of timers) timer.unref()
      context.onReady(() => {
        readPrices()
        if (printers.names.length > 0) retention.begin()
      })
      context.onClose(async () => {
        for (const timer of timers) clearInterval(timer)
        await Promise.all([recording.close(), details.flush(), retention.settled()])
      })
      context.provide('history', createHistoryService({ database, recording, details, priceList, keeping, redact }))
    }
  })

export default historyWith()

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Type } from 'typebox'
import {
  activeFaults, defineLiveTopic, definePage, definePlugin, openJsonStore, type Kernel, type Plugin,
  type PrinterSession, type PrinterState
} from '../../core/index.js'
import type {} from '../alerts/index.js' // its events, where that plugin is loaded
import type {} from '../camera/index.js'
import type { Database } from '../database/index.js'
import { exported, pages } from './export.js'
import { measured } from './follow.js'
import { lateAlert } from './late-alert.js'
import type { Newest } from './newest-prints.js'
import { createObserver } from './observer.js'
import { createEvents } from './kept/events.js'
import { createPictures, recordingsOf } from './kept/pictures.js'
import { readEvents, readTelemetry, writeTelemetry } from './kept/queries.js'
import { rangesOf, seriesOf } from './kept/series.js'
import { createTelemetry, type Running } from './kept/telemetry.js'
import { migrations } from './migrations/index.js'
import { projectFacts } from './project-facts.js'
import { find, type Db } from './queries.js'
import { createRecorder } from './recorder.js'
import { retain } from './retention.js'
import routes from './routes.js'
import type { PrintDetail } from './schemas.js'
import type { FileOffer, History } from './service.js'
import type { Shown } from './shown-jobs.js'
import { Starts } from './starts.js'
import { newestRow, rowsOf, type Owner } from './tables.js'
import { texts } from './texts/index.js'
import tools from './tools.js'
import { RESULTS, type Print, type PrintFault } from './types.js'
import { watchPrinters } from './watch-printers.js'
import type {} from '../recording/index.js'

export { placeName } from './places.js'
export type { PrintView } from './schemas.js'
export type { FileOffer, History } from './service.js'
export { pieceId } from './tables.js'
export type { FilamentUse, JobIdentity, Print, PrintFault, PrintTimes, Result } from './types.js'

declare module 'prnd' {
  interface Services { history: History }
  interface Events {
    /** A print began, changed its state, or ended: `print.result` tells which. */
    'history:print': [printer: string, print: Print]
    /** A print turned out to have ended while no service watched its printer. */
    'history:ended-unseen': [printer: string, print: Print]
  }
}

const HOUR_MS = 3_600_000
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
  texts,
  content: { files: 'history' }
})

/** What is active; where nothing is, whatever the printer lists may have ended the print. */
const faultsIn = ({ hms }: Kernel) => ({ errors: { faults } }: PrinterState): PrintFault[] => {
  const active = activeFaults(faults)
  const listed = faults.filter(({ type, ignored }) => type !== 'command_error' && ignored !== true)
  return (active.length > 0 ? active : listed)
    .map(fault => ({ code: fault.code, severity: fault.severity, text: hms.sentence(fault) }))
}

const Kept = Type.Unsafe<Newest>(Type.Record(Type.String(), Type.Object({
  id: Type.String(),
  result: Type.Enum(RESULTS),
  job: Type.Object({}),
  times: Type.Object({}),
  filaments: Type.Array(Type.Object({}))
})))

const KeptShown = Type.Unsafe<Shown>(Type.Record(Type.String(), Type.Object({
  taskId: Type.String(), subtaskId: Type.String(), subtaskName: Type.String(), plate: Type.Number()
})))

const Instance = Type.Object({ id: Type.String() })

const Days = (description: string, days: number) =>
  Type.Integer({ minimum: 0, maximum: 36_500, default: days, description })

const Options = Type.Object({
  prices: Type.Optional(Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
    default: {}, description: 'Money for a kilogram by material, `{ "PLA": 20 }`: prints then have a cost'
  })),
  keepDays: Days('How long records of prints are kept; 0: for ever. Statistics keep what they counted', 0),
  keepTelemetryDays: Days('How long their telemetry and pictures are kept; 0: as long as there is room', 365),
  keepTelemetryMiB: Type.Integer({
    minimum: 0, default: 2048, description: 'Of the telemetry of all prints; the oldest goes first. 0: no bound'
  })
})

/** What a test may set that no operator writes down. */
interface Timing {
  /** How often printers that print are looked at. */
  readonly sampleMs?: number
  /** How often what is too old is removed. */
  readonly retainMs?: number
}

const storeOf = ({ query }: Database) => ({
  read: (print: string) => query((db: Db) => readTelemetry(db, print)),
  write: (...[print, at, points]: [string, number, Parameters<typeof writeTelemetry>[3]]) =>
    query((db: Db) => writeTelemetry(db, print, at, points))
})

/** The record of all prints, with what is kept of each. */
export const historyWith = ({ sampleMs = SAMPLE_MS, retainMs = HOUR_MS }: Timing = {}): Plugin<typeof Options> =>
  definePlugin({
    name: 'history',
    version: '2.0.0',
    kernel: '^2.0.0',
    description: 'A record of every print, across restarts',
    needs: ['database', 'http', 'live'],
    optional: ['alerts', 'projects', 'files', 'camera', 'recording'],
    provides: ['history'],
    uses: ['disk', 'files', 'camera'],
    contributes: { routes, tools, migrations, liveTopics: [topic], pages: [page] },
    options: Options,
    async setup ({
      options, services: { database }, optional, kernel, log, printers, events, folder, signal, provide, onReady,
      onClose
    }) {
      const { prices = {} } = options
      const steady = () => performance.now() / 1000
      const debug = (what: string) => (error: Error) => { log.debug({ err: error }, what) }
      const kept = await openJsonStore(join(await folder(), 'newest.json'), {
        schema: Kept, initial: {}, warn: message => log.warn(message), compact: true
      })
      const shown = await openJsonStore(join(await folder(), 'shown.json'), {
        schema: KeptShown, initial: {}, warn: message => log.warn(message), compact: true
      })
      const starts = await openJsonStore(join(await folder(), 'starts.json'), {
        schema: Starts, initial: {}, warn: message => log.warn(message), compact: true
      })
      const identity = await openJsonStore(join(await folder(), 'instance.json'),
        { schema: Instance, initial: { id: randomUUID() }, warn: message => log.warn(message) })
      await identity.set(identity.get())
      const isShared = database.status.kind === 'postgres'
      const pictures = createPictures({
        folder, camera: optional.camera, signal, onProblem: debug('a picture of a print cannot be kept')
      })
      const told = createEvents({ put: database.put, redact: kernel.redact, now: kernel.now })
      const telemetry = createTelemetry({
        store: storeOf(database), running, steady, onProblem: debug('telemetry of a print cannot be kept now')
      })
      function put (print: Print, owner: Owner): void {
        for (const row of rowsOf(print, owner, prices)) database.put(row)
      }
      const recorder = createRecorder({
        newest: kept.get(),
        keep: newest => kept.set(newest).catch(debug('not kept')),
        shown: shown.get(),
        keepShown: jobs => { void shown.set(jobs).catch(debug('not kept')) },
        starts: starts.get(),
        keepStarts: sent => { void starts.set(sent).catch(debug('not kept')) },
        save (print, owner) {
          put(print, owner)
          if (isShared) database.put(newestRow(print, owner, identity.get().id))
        },
        async learn (session, id) {
          const facts = await projectFacts(optional.projects, session)
          if (facts?.thumbnail) await pictures.keepThumbnail(id, facts.thumbnail)
          return facts
        },
        faultsOf: faultsIn(kernel),
        announce (print, session) {
          told.state(print)
          const last = sightOf(print, session)
          if (print.result !== 'running' && last) telemetry.end(last)
          if (print.result !== 'running' && print.endSeen) pictures.take(print.id, session)
          events.emit('history:print', session.name, print)
        },
        endedUnseen (print, session, seenAt) {
          const since = optional.alerts?.watchedSince(session.name)
          if (seenAt !== undefined && since !== undefined && seenAt >= since) return // the rules saw it run, and tell
          optional.alerts?.raise(session.name, lateAlert(print, seenAt, kernel.now()))
          events.emit('history:ended-unseen', session.name, print)
        },
        now: kernel.now,
        steady
      })

      function sightOf (print: Print | undefined, { state }: PrinterSession): Running | undefined {
        return print && state && { print: print.id, startedAt: print.startedAt, seconds: measured(print.times), state }
      }
      function running (): readonly Running[] {
        return watching.sessions().flatMap(session => sightOf(recorder.running(session.config.serial), session) ?? [])
      }
      const newestOf = (printer: string): Print | undefined => {
        const serial = printers.config(printer)?.serial
        return serial === undefined || !watching.records(serial) ? undefined : recorder.newest(serial)
      }
      let retaining: Promise<void> | undefined
      function retainSoon (): void {
        retaining ??= retain({
          bounds: options,
          now: kernel.now(),
          query: database.query,
          onGone: async ids => { for (const id of ids) await pictures.drop(id) },
          signal
        }).catch(debug('what is too old cannot be removed now')).finally(() => { retaining = undefined })
      }

      const watching = watchPrinters({
        printers,
        events,
        database,
        recorder,
        observer: createObserver({
          query: database.query, save: put, faultsOf: faultsIn(kernel), now: kernel.now, steady
        }),
        instance: identity.get().id,
        now: kernel.now,
        onReady,
        onProblem: error => log.warn({ err: error }, 'prints of before cannot be looked through')
      })
      events.on('alert', alert => {
        const print = newestOf(alert.printer)
        if (print) told.alert(print, alert)
      })
      events.on('health:verdict', (printer, health) => {
        const print = newestOf(printer)
        if (!print || print.result !== 'running') return
        told.verdict(print, health)
        if (health.verdict !== undefined) telemetry.judged(print.id, health.score)
      })
      const timers = [
        setInterval(telemetry.sample, sampleMs),
        setInterval(() => recorder.readProjects(), sampleMs),
        setInterval(retainSoon, retainMs)
      ]
      for (const timer of timers) timer.unref()
      onReady(() => { if (printers.names.length > 0) retainSoon() })
      onClose(async () => {
        for (const timer of timers) clearInterval(timer)
        await Promise.all([watching.close(), telemetry.flush(), retaining])
      })
      let fileOffer: FileOffer | undefined
      provide('history', {
        find: id => database.query((db: Db) => find(db, id)),
        async * since (from) { for await (const page of pages(database, { since: from })) yield * page },
        isRunning: id => recorder.runningIds().includes(id),
        thumbnail: pictures.thumbnail,
        picture: pictures.picture,
        telemetry: async id => seriesOf(await telemetry.read(id)),
        async detail (print) {
          const found = await database.query((db: Db) => readEvents(db, print.id))
          return {
            events: found as PrintDetail['events'],
            recordings: recordingsOf(optional.recording, print, kernel.now()),
            telemetry: rangesOf(await telemetry.read(print.id))
          }
        },
        async drop (id) {
          telemetry.drop(id)
          await pictures.drop(id)
        },
        linkJob: (print, job) => recorder.link(print, job),
        offerFiles (offer) { fileOffer = offer },
        restoreFile: async (...wanted) => await fileOffer?.(...wanted) === true,
        exported: (format, filter) => exported(database, format, filter, kernel.redact)
      })
    }
  })

export default historyWith()

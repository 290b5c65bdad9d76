import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { createDiskLru, definePlugin, openJsonStore, type Kernel, type PrinterState } from '../../core/index.js'
import { defineLiveTopic } from '../live/index.js'
import { exported, type Format } from './export.js'
import { migrations } from './migrations/index.js'
import { projectFacts } from './project-facts.js'
import { closeForgotten, isOpen, type Db } from './queries.js'
import { createRecorder, type Newest } from './recorder.js'
import routes from './routes.js'
import type { Filter } from './schemas.js'
import { rowsOf, type Owner, type Tables } from './tables.js'
import tools from './tools.js'
import { RESULTS, type Print, type PrintFault } from './types.js'
import type {} from '../projects/index.js'

export type { FilamentUse, JobIdentity, Print, PrintFault, PrintTimes, Result } from './types.js'

/** The record of all prints. Its tables are `history_prints` and `history_filaments`. */
export interface History {
  isRunning (id: string): boolean
  /** PNG as the slicer drew the plate; undefined without one. */
  thumbnail (id: string): Promise<Buffer | undefined>
  dropThumbnail (id: string): Promise<void>
  /** All prints that pass, newest first, as text of that format; read page by page while it is sent. */
  exported (format: Format, filter: Filter): Readable
}

declare module 'prn' {
  interface Services { history: History }
  interface Events {
    /** A print began, changed its state, or ended: `print.result` tells which. */
    'history:print': [printer: string, print: Print]
  }
}

const THUMBNAIL_BYTES = 100_000_000

const topic = defineLiveTopic({
  name: 'history',
  description: 'A print began, changed its state, or ended',
  every: true,
  watch: ({ events }, send) => events.on('history:print', (printer, { id, job, state, result, percent }) =>
    send(printer, { id, name: job.subtaskName, state, result, percent }))
})

const faultsIn = ({ hms }: Kernel) => ({ errors: { faults } }: PrinterState): PrintFault[] => faults
  .filter(({ type }) => type !== 'command_error')
  .map(fault => ({ code: fault.code, severity: fault.severity, text: hms.describe(fault) }))

const Kept = Type.Unsafe<Newest>(Type.Record(Type.String(), Type.Object({
  id: Type.String(),
  result: Type.Enum(RESULTS),
  job: Type.Object({}),
  times: Type.Object({}),
  filaments: Type.Array(Type.Object({}))
})))

export default definePlugin({
  name: 'history',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'A record of every print, across restarts',
  needs: ['database', 'http', 'live'],
  optional: ['projects'],
  provides: ['history'],
  uses: ['disk', 'files'],
  contributes: { routes, tools, migrations, liveTopics: [topic] },
  options: Type.Object({
    prices: Type.Optional(Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
      default: {}, description: 'Money for a kilogram by material, `{ "PLA": 20 }`: prints then have a cost'
    }))
  }),
  async setup ({
    options: { prices = {} }, services: { database }, optional, kernel, log, printers, events, folder, provide, onReady,
    onClose
  }) {
    const kept = await openJsonStore(join(await folder(), 'newest.json'), {
      schema: Kept, initial: {}, warn: message => log.warn(message), compact: true
    })
    const thumbnails = createDiskLru({
      maxBytes: THUMBNAIL_BYTES,
      folder: async () => join(await folder(), 'thumbnails')
    })
    const pictureOf = (id: string): string => `${id.replaceAll(/[^\w-]/g, '')}.png`
    const recorder = createRecorder({
      newest: kept.get(),
      keep: newest => kept.set(newest).catch((error: Error) => log.debug({ err: error }, 'not kept')),
      save: (print, owner) => { for (const row of rowsOf(print, owner, prices)) database.put(row) },
      async learn (session, id) {
        const facts = await projectFacts(optional.projects, session)
        const png = facts?.thumbnail
        if (png) {
          await thumbnails.add(pictureOf(id), png.length, path => writeFile(path, png))
            .catch((error: Error) => log.debug({ err: error }, 'the picture of a print cannot be kept'))
        }
        return facts
      },
      faultsOf: faultsIn(kernel),
      announce: (print, printer) => events.emit('history:print', printer, print),
      now: kernel.now,
      steady: () => performance.now() / 1000
    })

    const owners = new Map<string, Owner>()
    printers.eachLocal(session => {
      const owner = { serial: session.config.serial, printer: session.name, model: session.model.model }
      owners.set(session.name, owner)
      recorder.catchUp(owner, id => database.query((db: Db) => isOpen(db, id)))
        .catch((error: Error) => log.warn({ err: error }, 'prints of before cannot be looked through'))
      return recorder.watch(session)
    })
    events.on('printer:forgotten', name => {
      const owner = owners.get(name)
      if (owner) recorder.forget(owner)
      owners.delete(name)
    })
    events.on('operation:done', done => {
      const session = done.printer === undefined ? undefined : printers.get(done.printer)
      if (!session) return
      if (done.operation === 'projects.print') recorder.started(done, session)
      if (done.operation === 'print.stop') recorder.stopped(done, session)
    })
    onReady(() => {
      if (printers.names.length === 0) return
      const serials = printers.names.flatMap(name => printers.config(name)?.serial ?? [])
      database.query<Tables, void>(db => closeForgotten(db, serials, recorder.newestIds()))
        .catch((error: Error) => log.warn({ err: error }, 'prints of before cannot be looked through'))
    })
    onClose(async () => {
      await recorder.flush([...owners.values()])
    })
    provide('history', {
      isRunning: id => recorder.runningIds().includes(id),
      thumbnail: async id => {
        const path = await thumbnails.use(pictureOf(id))
        return path === undefined ? undefined : await readFile(path).catch(() => undefined)
      },
      exported: (format, filter) => exported(database, format, filter, kernel.redact),
      dropThumbnail: id => thumbnails.remove(pictureOf(id))
    })
  }
})

import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { askOwner, BadInput, operation, refuseSeconds, type Guard } from '../../core/index.js'
import { NoPrint, PrintRunning, SharedDatabaseNeeded } from './errors.js'
import { FORMATS } from './export.js'
import { annotate, find, list, positionOf, remove, type Db } from './queries.js'
import { Filter, Page, PrintDetail, PrintView, Statistics, Telemetry } from './schemas.js'
import { localTime, statistics } from './statistics.js'
import { summarise, Summary, SummaryInput } from './summary.js'
import { listText } from './tables.js'
import { timeUse, TimeUse, TimeUseInput } from './time-use.js'
import { RESULTS } from './types.js'

const Id = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a print' })
const ById = Type.Object({ id: Id })
const MOST_ROWS = 200
const USUAL_ROWS = 50

/** A hub records nothing in a database of its own. */
export const requireSharedDatabase: Guard = ({ kernel, services: { database } }) => {
  if (kernel.printers.others !== undefined && database.status.kind === 'sqlite') throw new SharedDatabaseNeeded()
}

export const listPrints = operation({
  name: 'history.list',
  summary: 'Recorded prints, newest first',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: Type.Object({
    ...Filter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: 'From the page before' }))
  }),
  output: Page,
  async run ({ services: { database } }, { limit = USUAL_ROWS, cursor, ...filter }) {
    refuseSeconds({ since: filter.since, until: filter.until })
    const position = cursor === undefined ? undefined : positionOf(cursor)
    if (cursor !== undefined && position === undefined) throw new BadInput('cursor must be that of an earlier page')
    return await database.query((db: Db) => list(db, filter, limit, position))
  }
})

export const readPrint = operation({
  name: 'history.read',
  summary: 'One recorded print',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: ById,
  output: PrintDetail,
  errors: [NoPrint],
  async run ({ services: { database, history } }, { id }) {
    const print = await database.query((db: Db) => find(db, id))
    if (!print) throw new NoPrint(id)
    return { ...print, energy: await history.energyOf(id), ...await history.detail(print) }
  }
})

export const readTelemetry = operation({
  name: 'history.readTelemetry',
  summary: 'Temperatures, fans, speed and health in the course of a recorded print',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: ById,
  output: Telemetry,
  errors: [NoPrint],
  async run ({ services: { database, history } }, { id }) {
    if (!await database.query((db: Db) => find(db, id))) throw new NoPrint(id)
    const series = await history.telemetry(id)
    return { series: series.map(one => ({ ...one, points: one.points.map(point => [...point]) })) }
  }
})

/** @throws PRN_ERR_BAD_INPUT */
function localTimeOf (zone: string) {
  try {
    return localTime(zone)
  } catch {
    throw new BadInput(`time_zone is not known: ${zone}`)
  }
}

export const readStatistics = operation({
  name: 'history.readStatistics',
  summary: 'Prints, hours, success and filament over the recorded prints',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: Type.Object({
    ...Filter,
    time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'For the months, such as Europe/Berlin; left out: UTC' }))
  }),
  output: Statistics,
  errors: [BadInput],
  async run ({ services: { database, history } }, { time_zone: zone, ...filter }) {
    refuseSeconds({ since: filter.since, until: filter.until })
    const local = zone === undefined ? undefined : localTimeOf(zone)
    const counted = await database.query((db: Db) => statistics(db, filter, local))
    return { ...counted, energy: await history.energyOfAll(filter) }
  }
})

export const readSummary = operation({
  name: 'history.readSummary',
  summary: 'Prints, results, time, filament and cost by printer, material or model, and by period',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: SummaryInput,
  output: Summary,
  async run ({ services: { database } }, input) {
    refuseSeconds({ since: input.since, until: input.until })
    return await database.query((db: Db) => summarise(db, input))
  }
})

export const readTimeUse = operation({
  name: 'history.readTimeUse',
  summary: 'What printers spent their time on since a time, as far as it is recorded',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: TimeUseInput,
  output: TimeUse,
  async run ({ services: { database }, kernel }, input) {
    refuseSeconds({ since: input.since })
    return await database.query((db: Db) => timeUse(db, input, kernel.now()))
  }
})

export const readThumbnail = operation({
  name: 'history.readThumbnail',
  summary: 'Picture of a recorded print as the slicer drew it',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: ById,
  atHub: askOwner(NoPrint), // pictures are stored where they were taken
  output: Type.Object({ png: Type.Unsafe<Buffer>({}) }),
  errors: [NoPrint],
  async run ({ services: { history } }, { id }) {
    const png = await history.thumbnail(id)
    if (!png) throw new NoPrint(id)
    return { png }
  }
})

export const readPicture = operation({
  name: 'history.readPicture',
  summary: "The camera's picture of a recorded print as it ended",
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: ById,
  atHub: askOwner(NoPrint), // pictures are stored where they were taken
  output: Type.Object({ jpeg: Type.Unsafe<Buffer>({}) }),
  errors: [NoPrint],
  async run ({ services: { history } }, { id }) {
    const jpeg = await history.picture(id)
    if (!jpeg) throw new NoPrint(id)
    return { jpeg }
  }
})

export const exportPrints = operation({
  name: 'history.export',
  summary: 'All matching recorded prints, newest first',
  effect: 'read',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  input: Type.Object({
    ...Filter,
    format: Type.Optional(Type.Enum(FORMATS, { default: 'csv', description: '`jsonl`: a JSON object a line' }))
  }),
  output: Type.Object({ format: Type.Enum(FORMATS), text: Type.Unsafe<Readable>({}) }),
  run ({ services: { history } }, { format = 'csv', ...filter }) {
    refuseSeconds({ since: filter.since, until: filter.until })
    return { format, text: history.exported(format, filter) }
  }
})

export const annotatePrint = operation({
  name: 'history.annotate',
  summary: 'Note, rating, tags or corrected result of a recorded print',
  effect: 'write',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  consequence: 'The record of the print is changed; nothing on the printer changes.',
  input: Type.Object({
    id: Id,
    note: Type.Optional(Type.String({ maxLength: 4_000, description: 'Empty: none' })),
    rating: Type.Optional(Type.Integer({ minimum: 0, maximum: 5, description: '1 to 5; 0: none' })),
    tags: Type.Optional(Type.Array(Type.String({ pattern: '^[^,]{1,40}$' }), { maxItems: 20, description: 'Replaces all' })),
    result: Type.Optional(Type.Enum([...RESULTS.filter(result => result !== 'running'), 'reported'], {
      description: '`reported`: removes a correction'
    }))
  }),
  output: PrintView,
  errors: [NoPrint],
  async run ({ services: { database } }, { id, note, rating, tags, result }) {
    const changes = {
      ...(note !== undefined && { note: note || null }),
      ...(rating !== undefined && { rating: rating || null }),
      ...(tags !== undefined && { tags: listText(tags) }),
      ...(result !== undefined && { corrected: result === 'reported' ? null : result })
    }
    if (Object.keys(changes).length === 0) throw new BadInput('Give a note, a rating, tags or a result')
    const print = await database.query(async (db: Db) =>
      await annotate(db, id, changes) ? await find(db, id) : undefined)
    if (!print) throw new NoPrint(id)
    return print
  }
})

export const deletePrint = operation({
  name: 'history.delete',
  summary: 'Delete the record of a print',
  effect: 'destructive',
  scope: 'daemon',
  guards: [requireSharedDatabase],
  consequence: 'The record and its picture are gone for good; nothing on the printer changes.',
  input: ById,
  output: Type.Object({ id: Type.String() }),
  errors: [NoPrint, PrintRunning],
  async run ({ services: { database, history } }, { id }) {
    if (history.isRunning(id)) throw new PrintRunning(id)
    if (!await database.query((db: Db) => remove(db, id))) throw new NoPrint(id)
    await history.drop(id)
    return { id }
  }
})

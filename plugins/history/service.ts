import type { Readable } from 'node:stream'
import type { PrinterSession } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { PrintDetails } from './details/index.js'
import type { seriesOf } from './details/series.js'
import { costOf, usedOf } from './filament.js'
import { exported, pages, type Format } from './export.js'
import type { Keeping } from './keeping.js'
import { priceEarlier } from './price-earlier.js'
import type { PriceList } from './price-list.js'
import type { PrintRecording } from './print-recording.js'
import { find, list, type Db } from './queries.js'
import type { EnergySum, Filter, PrintDetail, PrintEnergy, PrintView } from './schemas.js'
import type { Print } from './types.js'

/** The record of all prints. Its tables are `history_prints` and `history_filaments`. */
export interface History {
  isRunning (id: string): boolean
  /** The print that a printer runs now, if it is recorded here. */
  running (printer: string): Print | undefined
  /** Whether this service records the prints of a printer. */
  records (printer: string): boolean
  /** Adds the energy of prints to what is shown of them. A later call replaces an earlier one. */
  energyBy (meter: EnergyMeter): void
  /** The energy of a print; null while it is not measured. */
  energyOf (id: string): Promise<PrintEnergy | null>
  /** The energy of all prints that these filters describe; null if it is not measured, or not known for them. */
  energyOfAll (filter: Filter): Promise<EnergySum | null>
  /** Prints in progress: those recorded here as of now, others as they were stored last. */
  inProgress (): Promise<readonly RunningPrint[]>
  find (id: string): Promise<PrintView | undefined>
  /**
   * Prints that began at or after a time, newest first; read page by page.
   * @param from ms since the epoch @param until those that began before it; left out: all
   */
  since (from: number, until?: number): AsyncIterable<PrintView>
  /** PNG as the slicer drew the plate; undefined without one. */
  thumbnail (id: string): Promise<Buffer | undefined>
  /** JPEG of the camera as it ended; undefined without one. */
  picture (id: string): Promise<Buffer | undefined>
  telemetry (id: string): Promise<ReturnType<typeof seriesOf>>
  /** Events, recordings and telemetry of a print. */
  detail (print: PrintView): Promise<Pick<PrintDetail, 'events' | 'recordings' | 'telemetry'>>
  /** Deletes what is stored outside the database. */
  drop (id: string): Promise<void>
  /** Links a print to the job of the queue that it is a copy of. @param parts that it gives; undefined: not known */
  linkJob (print: string, job: string, parts: number | undefined): void
  /** Sets how reprints restore files that are no longer on the card. A later call replaces an earlier one. */
  offerFiles (offer: FileOffer): void
  /** What filament costs, in the currency of the prices; null if its price is not known. */
  costOf (material: string, grams: number): number | null
  readonly priceList: PriceList
  readonly keeping: Keeping
  /** Gives recorded prints without a cost that of the prices. @returns how many have one now */
  priceEarlier (signal: AbortSignal): Promise<number>
  /** Puts the file of a print back on its card. @returns false if no copy exists */
  restoreFile: FileOffer
  /** All matching prints, newest first, as text in that format; read page by page while it is sent. */
  exported (format: Format, filter: Filter): Readable
}

/** A print in progress, and what it has used so far. */
export interface RunningPrint extends Pick<PrintView, 'id' | 'serial' | 'printer'> {
  readonly filaments: readonly Pick<PrintView['filaments'][number], 'place' | 'tag' | 'material' | 'color' | 'grams' | 'grams_basis'>[]
  /** False: as stored some time ago, or while the printer is out of reach. */
  readonly isCurrent: boolean
}

/** More printers than any service has. */
const MOST_RUNNING = 1_000

const runningOf = (print: Print, { name, live, config: { serial } }: PrinterSession): RunningPrint => ({
  id: print.id,
  serial,
  printer: name,
  isCurrent: live,
  filaments: print.filaments.map(use => {
    const { grams, basis } = usedOf(print, use)
    const { place, tag, material, color } = use
    return { place, tag, material, color, grams, grams_basis: basis }
  })
})

/** Puts the file of a print on the card of its printer, under this path. @returns whether it could */
export type FileOffer = (print: PrintView, session: PrinterSession, path: string, signal: AbortSignal) =>
Promise<boolean>

/** Knows the energy of prints. It rejects while that cannot be read. */
export interface EnergyMeter {
  ofPrint (id: string): Promise<PrintEnergy | null>
  /** @param filter by printer and time only */
  ofPrints (filter: Pick<Filter, 'printer_name' | 'since' | 'until'>): Promise<EnergySum | null>
}

export interface HistoryServiceOptions {
  readonly database: Database
  readonly recording: PrintRecording
  readonly details: PrintDetails
  readonly priceList: PriceList
  readonly keeping: Keeping
  readonly redact: (text: string) => string
}

export function createHistoryService (
  { database, recording, details, priceList, keeping, redact }: HistoryServiceOptions
): History {
  let fileOffer: FileOffer | undefined
  let meter: EnergyMeter | undefined
  return {
    find: id => database.query((db: Db) => find(db, id)),
    async * since (from, until) {
      for await (const page of pages(database, { since: from, ...until !== undefined && { until } })) yield * page
    },
    isRunning: id => recording.isRunning(id),
    running (printer) {
      const print = recording.newest(printer)
      return print?.result === 'running' ? print : undefined
    },
    records: printer => recording.records(printer),
    energyBy (given) { meter = given },
    energyOf: async id => await meter?.ofPrint(id) ?? null,
    async energyOfAll ({ printer_name: printer, since, until, ...others }) {
      const isKnown = Object.values(others).every(value => value === undefined)
      const filter = {
        ...(printer !== undefined && { printer_name: printer }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until })
      }
      return isKnown ? await meter?.ofPrints(filter) ?? null : null
    },
    async inProgress () {
      const here = recording.running().map(([print, session]) => runningOf(print, session))
      const known = new Set(here.map(({ id }) => id))
      const { prints } = await database.query((db: Db) => list(db, { result: 'running' }, MOST_RUNNING))
      const elsewhere = prints.filter(({ id }) => !known.has(id)).map(print => ({ ...print, isCurrent: false }))
      return [...here, ...elsewhere]
    },
    thumbnail: details.pictures.thumbnail,
    picture: details.pictures.picture,
    telemetry: id => details.telemetry(id),
    detail: print => details.of(print),
    drop: id => details.drop(id),
    linkJob: (...link) => recording.link(...link),
    costOf: (material, grams) => costOf(priceList.prices, material, grams),
    priceList,
    keeping,
    priceEarlier: signal => priceEarlier(database.query, priceList.prices, signal),
    offerFiles (offer) { fileOffer = offer },
    restoreFile: async (...request) => await fileOffer?.(...request) === true,
    exported: (format, filter) => exported(database, format, filter, redact)
  }
}

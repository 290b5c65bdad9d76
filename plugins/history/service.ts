import type { Readable } from 'node:stream'
import type { PrinterSession } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { PrintDetails } from './details/index.js'
import type { seriesOf } from './details/series.js'
import { costOf, type Prices } from './filament.js'
import { exported, pages, type Format } from './export.js'
import type { PrintRecording } from './print-recording.js'
import { find, type Db } from './queries.js'
import type { Filter, PrintDetail, PrintView } from './schemas.js'

/** The record of all prints. Its tables are `history_prints` and `history_filaments`. */
export interface History {
  isRunning (id: string): boolean
  find (id: string): Promise<PrintView | undefined>
  /** Prints that began at or after a time, newest first; read page by page. @param from ms since the epoch */
  since (from: number): AsyncIterable<PrintView>
  /** PNG as the slicer drew the plate; undefined without one. */
  thumbnail (id: string): Promise<Buffer | undefined>
  /** JPEG of the camera as it ended; undefined without one. */
  picture (id: string): Promise<Buffer | undefined>
  telemetry (id: string): Promise<ReturnType<typeof seriesOf>>
  /** Events, recordings and telemetry of a print. */
  detail (print: PrintView): Promise<Pick<PrintDetail, 'events' | 'recordings' | 'telemetry'>>
  /** Deletes what is stored outside the database. */
  drop (id: string): Promise<void>
  /** Links a print to the job of the queue that it is a copy of. */
  linkJob (print: string, job: string): void
  /** Sets how reprints restore files that are no longer on the card. A later call replaces an earlier one. */
  offerFiles (offer: FileOffer): void
  /** What filament costs, in the currency of the prices; null if its price is not known. */
  costOf (material: string, grams: number): number | null
  /** Puts the file of a print back on its card. @returns false if no copy exists */
  restoreFile: FileOffer
  /** All matching prints, newest first, as text in that format; read page by page while it is sent. */
  exported (format: Format, filter: Filter): Readable
}

/** Puts the file of a print on the card of its printer, under this path. @returns whether it could */
export type FileOffer = (print: PrintView, session: PrinterSession, path: string, signal: AbortSignal) =>
Promise<boolean>

export interface HistoryServiceOptions {
  readonly database: Database
  readonly recording: PrintRecording
  readonly details: PrintDetails
  readonly prices: Prices
  readonly redact: (text: string) => string
}

export function createHistoryService (
  { database, recording, details, prices, redact }: HistoryServiceOptions
): History {
  let fileOffer: FileOffer | undefined
  return {
    find: id => database.query((db: Db) => find(db, id)),
    async * since (from) { for await (const page of pages(database, { since: from })) yield * page },
    isRunning: id => recording.isRunning(id),
    thumbnail: details.pictures.thumbnail,
    picture: details.pictures.picture,
    telemetry: id => details.telemetry(id),
    detail: print => details.of(print),
    drop: id => details.drop(id),
    linkJob: (print, job) => recording.link(print, job),
    costOf: (material, grams) => costOf(prices, material, grams),
    offerFiles (offer) { fileOffer = offer },
    restoreFile: async (...request) => await fileOffer?.(...request) === true,
    exported: (format, filter) => exported(database, format, filter, redact)
  }
}

import type { Emitter, Events, PrinterSession, Services } from '../../../core/index.js'
import type { Health } from '../../alerts/index.js'
import type {} from '../../camera/index.js' // its service, if that plugin is loaded
import type { Database } from '../../database/index.js'
import type {} from '../../recording/index.js'
import { measured } from '../follow.js'
import type { Db } from '../queries.js'
import type { PrintDetail, PrintView } from '../schemas.js'
import type { Print } from '../types.js'
import { createEvents } from './events.js'
import { createPictures, recordingsOf, type PicturesOptions } from './pictures.js'
import { readEvents, readTelemetry, writeTelemetry } from './queries.js'
import { rangesOf, seriesOf } from './series.js'
import { Telemetry, type Running, type TelemetryOptions } from './telemetry.js'

export interface PrintDetailsOptions extends Pick<PicturesOptions, 'folder' | 'signal'>, Pick<TelemetryOptions, 'steady'> {
  readonly database: Pick<Database, 'put' | 'query'>
  readonly optional: Readonly<Partial<Pick<Services, 'camera' | 'recording'>>>
  readonly redact: (text: string) => string
  readonly now: () => number
  /** Running prints of the printers that are recorded here. */
  readonly running: () => Iterable<readonly [Print, PrinterSession]>
  /** @returns a handler for errors of that kind */
  readonly problem: (what: string) => (error: Error) => void
}

/** What is stored of prints besides their records: pictures, events and telemetry. */
export class PrintDetails {
  readonly pictures: ReturnType<typeof createPictures>
  readonly #options: PrintDetailsOptions
  readonly #events: ReturnType<typeof createEvents>
  readonly #telemetry: Telemetry

  constructor (options: PrintDetailsOptions) {
    const { database, folder, signal, optional, redact, now, steady, problem } = options
    this.#options = options
    this.pictures = createPictures({
      folder, signal, camera: optional.camera, onProblem: problem('a picture of a print cannot be stored')
    })
    this.#events = createEvents({ put: database.put, redact, now })
    this.#telemetry = new Telemetry({
      store: storeOf(database),
      running: () => [...options.running()].flatMap(([print, session]) => runningOf(print, session) ?? []),
      steady,
      onProblem: problem('telemetry of a print cannot be stored now')
    })
  }

  /** A print began, ended or changed its state. */
  note (print: Print, session: PrinterSession): void {
    this.#events.state(print)
    if (print.result === 'running') return
    const last = runningOf(print, session)
    if (last) this.#telemetry.end(last)
    if (print.endSeen) this.pictures.take(print.id, session)
  }

  /** @param newest returns the newest print of a printer that is recorded here, by its name */
  follow (events: Emitter<Events>, newest: (printer: string) => Print | undefined): void {
    events.on('alert', alert => {
      const print = newest(alert.printer)
      if (print) this.#events.alert(print, alert)
    })
    events.on('health:verdict', (printer, health) => {
      const print = newest(printer)
      if (print?.result === 'running') this.#verdict(print, health)
    })
  }

  sample (): void { this.#telemetry.sample() }

  async telemetry (id: string): Promise<ReturnType<typeof seriesOf>> { return seriesOf(await this.#telemetry.read(id)) }

  async of (print: PrintView): Promise<Pick<PrintDetail, 'events' | 'recordings' | 'telemetry'>> {
    const { database, optional, now } = this.#options
    const found = await database.query((db: Db) => readEvents(db, print.id))
    return {
      events: found as PrintDetail['events'],
      recordings: recordingsOf(optional.recording, print, now()),
      telemetry: rangesOf(await this.#telemetry.read(print.id))
    }
  }

  /** Deletes what is stored outside the database. */
  async drop (id: string): Promise<void> {
    this.#telemetry.drop(id)
    await this.pictures.drop(id)
  }

  async flush (): Promise<void> { await this.#telemetry.flush() }

  #verdict (print: Print, health: Health): void {
    this.#events.verdict(print, health)
    if (health.verdict !== undefined) this.#telemetry.judge(print.id, health.score)
  }
}

const runningOf = (print: Print, { state }: PrinterSession): Running | undefined =>
  state && { print: print.id, startedAt: print.startedAt, seconds: measured(print.times), state }

const storeOf = ({ query }: PrintDetailsOptions['database']): TelemetryOptions['store'] => ({
  read: print => query((db: Db) => readTelemetry(db, print)),
  write: (print, at, points) => query((db: Db) => writeTelemetry(db, print, at, points))
})

import { activeFaults, type Events, type Kernel, type PrinterSession, type PrinterState, type Services } from '../../core/index.js'
import type {} from '../alerts/index.js' // its service, if that plugin is loaded
import { paidPrint } from '../projects/index.js'
import type {} from '../toolpath/index.js'
import type { PrintDetails } from './details/index.js'
import { usedOf, type Prices } from './filament.js'
import { lateAlert } from './late-alert.js'
import { createObserver } from './observer.js'
import { PlateReadings } from './plate-readings.js'
import { projectFacts } from './project-facts.js'
import { createRecorder } from './recorder.js'
import type { StateFiles } from './state-files.js'
import { newestRow, rowsOf, type Owner } from './tables.js'
import type { Print, PrintFault } from './types.js'
import { watchPrinters, type WatchOptions } from './watch-printers.js'

export interface PrintRecordingOptions extends Pick<WatchOptions, 'printers' | 'events' | 'database' | 'onReady'> {
  readonly kernel: Kernel
  readonly files: StateFiles
  readonly details: PrintDetails
  readonly prices: () => Prices
  readonly optional: Readonly<Partial<Pick<Services, 'alerts' | 'projects' | 'toolpath'>>>
  readonly steady: () => number
  /** A state file cannot be written. */
  readonly onUnstored: (error: Error) => void
  /** Earlier prints cannot be compared with the record. */
  readonly onProblem: (error: Error) => void
  /** A plate cannot be read now. */
  readonly onUnread: (error: Error) => void
}

/** Records the prints of all printers, in the database and in the files of this service. */
export class PrintRecording {
  readonly #options: PrintRecordingOptions
  readonly #recorder: ReturnType<typeof createRecorder>
  readonly #watching: ReturnType<typeof watchPrinters>
  readonly #plates: PlateReadings

  constructor (options: PrintRecordingOptions) {
    const { kernel, files, steady } = options
    const faultsOf = faultsIn(kernel)
    const save = (print: Print, owner: Owner): void => this.#save(print, owner)
    this.#options = options
    this.#plates = new PlateReadings({
      toolpath: () => options.optional.toolpath,
      now: kernel.now,
      steady,
      signal: kernel.signal,
      changed: id => this.#recorder.recount(id),
      onProblem: options.onUnread
    })
    this.#recorder = createRecorder({
      ...this.#stored(),
      count: print => this.#plates.count(print),
      save: (print, owner) => {
        save(print, owner)
        if (options.database.status.kind === 'postgres') options.database.put(newestRow(print, owner, files.instance))
      },
      learn: (session, id) => this.#learn(session, id),
      faultsOf,
      announce: (print, session) => {
        options.details.note(print, session)
        options.events.emit('history:print', session.name, print)
        emitUsed(options.events, session.config.serial, print)
      },
      endedUnseen: (print, session, seenAt) => this.#endedUnseen(print, session, seenAt),
      now: kernel.now,
      steady
    })
    this.#watching = watchPrinters({
      ...options,
      recorder: this.#recorder,
      observer: createObserver({ query: options.database.query, save, faultsOf, now: kernel.now, steady }),
      instance: files.instance,
      now: kernel.now
    })
  }

  /** The newest print of a printer that is recorded here, by its name. */
  newest (printer: string): Print | undefined {
    const serial = this.#options.printers.config(printer)?.serial
    return serial === undefined || !this.#watching.records(serial) ? undefined : this.#recorder.newest(serial)
  }

  /** Whether this service records the prints of a printer, by its name. */
  records (printer: string): boolean {
    const serial = this.#options.printers.config(printer)?.serial
    return serial !== undefined && this.#watching.records(serial)
  }

  /** Running prints of the printers that are recorded here. */
  running (): (readonly [Print, PrinterSession])[] {
    return this.#watching.sessions().flatMap(session => {
      const print = this.#recorder.running(session.config.serial)
      return print ? [[print, session] as const] : []
    })
  }

  isRunning (id: string): boolean { return this.#recorder.runningIds().includes(id) }

  /** Links a print to the job of the queue that it is a copy of. @param parts that a copy gives */
  link (print: string, job: string, parts: number | undefined): void { this.#recorder.link(print, job, parts) }

  readProjects (): void { this.#recorder.readProjects() }

  readPlates (): void { this.#plates.read(this.#recorder.newestOfAll()) }

  async close (): Promise<void> { await this.#watching.close() }

  #stored () {
    const { files: { newest, shown, starts }, onUnstored } = this.#options
    return {
      newest: newest.get(),
      persist: (prints: ReturnType<typeof newest.get>) => newest.set(prints).catch(onUnstored),
      shown: shown.get(),
      persistShown: (jobs: ReturnType<typeof shown.get>) => { void shown.set(jobs).catch(onUnstored) },
      starts: starts.get(),
      persistStarts: (sent: ReturnType<typeof starts.get>) => { void starts.set(sent).catch(onUnstored) }
    }
  }

  #save (print: Print, owner: Owner): void {
    for (const row of rowsOf(print, owner, this.#options.prices())) this.#options.database.put(row)
  }

  async #learn (session: PrinterSession, id: string) {
    const facts = await projectFacts(this.#options.optional.projects, session)
    if (facts?.thumbnail) await this.#options.details.pictures.storeThumbnail(id, facts.thumbnail)
    return facts
  }

  #endedUnseen (print: Print, session: PrinterSession, seenAt: number | undefined): void {
    const { events, kernel, optional: { alerts } } = this.#options
    const since = alerts?.watchedSince(session.name)
    if (seenAt !== undefined && since !== undefined && seenAt >= since) return // the alert rules saw it run and end
    alerts?.raise(session.name, lateAlert(print, seenAt, kernel.now()))
    events.emit('history:ended-unseen', session.name, print)
  }
}

/** The active faults; without any, those still listed by the printer, as they may have ended the print. */
const faultsIn = ({ hms }: Kernel) => ({ errors: { faults } }: PrinterState): PrintFault[] => {
  const active = activeFaults(faults)
  const listed = faults.filter(({ type, ignored }) => type !== 'command_error' && ignored !== true)
  return (active.length > 0 ? active : listed)
    .map(fault => ({ code: fault.code, severity: fault.severity, text: hms.sentence(fault) }))
}

const SECONDS_PER_HOUR = 3_600
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * A print that ended early gives back to budgets what it did not use. What is unknown is not mentioned: it stays booked
 * as planned.
 */
function emitUsed (events: { emit: (event: 'budget:used', ...of: Events['budget:used']) => void }, serial: string,
  print: Print): void {
  const { result, job: { taskId }, filaments, times } = print
  if ((result !== 'cancelled' && result !== 'failed') || taskId === '' || taskId === '0') return
  const grams = filaments.map(use => usedOf(print, use).grams)
  const isKnown = grams.length > 0 && !grams.includes(null)
  events.emit('budget:used', paidPrint(serial, taskId), {
    hours: (times.prepare + times.printing) / SECONDS_PER_HOUR,
    ...(isKnown && { grams: sum(grams as number[]) })
  })
}

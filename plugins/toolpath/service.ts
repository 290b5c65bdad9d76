import { isServiceError, ThreadBusy, type PrinterSession } from '../../core/index.js'
import type { CardFile, FilesService } from '../files/index.js'
import type { SentPlate, Weigh } from '../projects/index.js'
import { NoPlateFile, NoSuchLayer, PlateReadFailed, TooManyPlates } from './errors.js'
import { filamentCourses, gramsUntil, type FilamentCourse, type FilamentGrams } from './filament-grams.js'
import type { Finding } from './findings/types.js'
import { OngoingWork } from './ongoing-work.js'
import type { Outline } from './outline/height-map.js'
import type { Outlines } from './outline/outlines.js'
import { hostId, idOn, keyOf, type PlateId, type ReadingStore, type StoredReading } from './reading-store.js'
import type { Reading } from './reading.js'
import type { FindingView, SummaryView } from './schemas.js'
import { openHostFile } from './source/host-file.js'
import { openPlate } from './source/open-plate.js'
import { startTarget, targetOf, type StartSource, type TargetSources } from './start-target.js'
import { findingsOf, summaryOf, viewOf } from './summary.js'
import type { PlateReader } from './worker/plate-reader.js'

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** First ask the card whether the file is unchanged: another program may have replaced it since the last listing. */
  readonly isCurrent?: boolean
}

/** How much of a plate was read, bytes as they are on the card. */
export interface ReadingProgress {
  readonly bytes: number
  /** 0 while it is not known. */
  readonly total: number
}

/** How one reading is done. */
interface Work {
  readonly signal?: AbortSignal | undefined
  /** It is read again even if it is stored. */
  readonly isAnew?: boolean
  readonly isBackground?: boolean
}

/** A reading in the background was given up, because a caller waits for one. */
export class GaveWay extends Error {}

/** A part of a track: bytes of a file. */
export interface TrackPart {
  readonly path: string
  readonly start: number
  /** Behind the last one. */
  readonly end: number
  /** False if the track ends before the print, because it would have been too long. */
  readonly isWhole: boolean
}

export interface ToolpathServiceDeps {
  readonly files: () => Pick<FilesService, 'find' | 'open' | 'stat'>
  readonly store: ReadingStore
  readonly reader: PlateReader
  readonly outlines: Outlines
  readonly weigh: Weigh
}

export interface OutlineOptions {
  readonly signal?: AbortSignal
  /** Objects that are skipped, with the first layer in which they are. */
  readonly skipped?: ReadonlyMap<number, number>
}

/** Path of a file in the library by its id. */
type Locate = (id: string) => Promise<string>
const IN_LIBRARY = /^\/library:([0-9a-f]{64})\//

/** Reads the G-code of plates move by move. What was read once is known from then on. */
export class ToolpathService {
  readonly #deps: ToolpathServiceDeps
  readonly #work = new OngoingWork<StoredReading>()
  readonly #progress = new Map<string, ReadingProgress>()
  /** By place, path and plate, while it is read. */
  readonly #sure = new Map<string, readonly Finding[]>()
  /** Ends the readings in the background. */
  readonly #background = new Set<AbortController>()

  #locate: Locate = id => Promise.reject(new NoPlateFile(id))
  #acceptsStartCode: TargetSources['acceptsStartCode'] = () => false

  constructor (deps: ToolpathServiceDeps) { this.#deps = deps }

  /** Another plugin knows on which printers a person accepted the built-in start code. */
  startCodeBy (accepts: TargetSources['acceptsStartCode']): void { this.#acceptsStartCode = accepts }

  /** Another plugin has files that are read under the path `/library:ID/NAME`, as if they were on the card. */
  libraryBy (locate: Locate): void { this.#locate = locate }

  /**
   * A plate of a file on the printer's card, or in the library.
   * @throws the errors of this plugin and of the card
   */
  async read (session: PrinterSession, path: string, plate: number, options: ReadOptions = {}): Promise<Reading> {
    return (await this.#readCard(session, path, plate, options)).reading
  }

  /**
   * The same for a caller that can try again later. As soon as another caller needs a plate that was not read yet, such
   * as the start of a print, this one is given up.
   * @throws GaveWay, the errors of this plugin and of the card
   */
  async readInBackground (session: PrinterSession, path: string, plate: number, signal: AbortSignal): Promise<Reading> {
    const own = new AbortController()
    this.#background.add(own)
    try {
      const both = AbortSignal.any([signal, own.signal])
      return (await this.#readCard(session, path, plate, { signal: both, isCurrent: true, isBackground: true })).reading
    } finally {
      this.#background.delete(own)
    }
  }

  /** The same in figures and findings, judged for this printer as it is now. */
  async summary (
    session: PrinterSession, path: string, plate: number, { start = {}, ...options }: ReadOptions & {
      readonly start?: StartSource
    } = {}
  ): Promise<SummaryView> {
    const reading = await this.read(session, path, plate, options)
    return summaryOf(reading, path, plate, startTarget(session, this.#sources, start))
  }

  /** What is wrong with a plate as it would be started, worst first. */
  findings (session: PrinterSession, reading: Reading, start: StartSource): readonly FindingView[] {
    return findingsOf(reading, startTarget(session, this.#sources, start)).map(viewOf)
  }

  /** While a plate is read from a card: the findings that stop a print whatever the rest says. */
  sure ({ config }: PrinterSession, path: string, plate: number): readonly FindingView[] {
    return (this.#sure.get(keyOf(config.serial, path, plate)) ?? []).map(viewOf)
  }

  /** How far a plate on a card is read; undefined if it is not being read. */
  progress ({ config }: PrinterSession, path: string, plate: number): ReadingProgress | undefined {
    return this.#progress.get(keyOf(config.serial, path, plate))
  }

  /** Filament that a print has used at the end of a layer, g. */
  extrudedUntil (reading: Reading, layer: number): readonly FilamentGrams[] { return gramsUntil(reading.plate, layer) }

  /** The same for all layers, by tool. */
  filamentCourses (reading: Reading): readonly FilamentCourse[] { return filamentCourses(reading.plate) }

  /** A plate of a file on this host, judged as if this printer were to print it. */
  async readHost (
    session: PrinterSession, path: string, plate: number, { signal }: ReadOptions = {}
  ): Promise<Reading> {
    const open = () => openHostFile(path)
    const file = await open().catch(error => { throw new NoPlateFile(path, { cause: error }) })
    await file.close()
    return (await this.#readOnce(session, hostId(session, file.entry, plate), open, { signal })).reading
  }

  /** A file of this host was sent to a card: it need not be read again there. */
  async uploaded (session: PrinterSession, { from, to, plate }: SentPlate, signal?: AbortSignal): Promise<void> {
    const entry = await this.#deps.files().stat(session, to, signal && { signal })
    const file = await openHostFile(from)
    await file.close()
    if (entry === undefined || entry.size !== file.entry.size) return
    const stored = await this.#deps.store.load(hostId(session, file.entry, plate))
    if (stored !== undefined) await this.#deps.store.copy(stored, idOn(session, entry, plate))
  }

  /** The track of some layers. @param last Infinity for all that follow */
  async track (
    session: PrinterSession, path: string, plate: number,
    { first, last, signal }: ReadOptions & { readonly first: number, readonly last: number }
  ): Promise<TrackPart> {
    const { stored, file } = await this.#withTrack(session, path, plate, signal)
    const { starts, bytes, isWhole } = stored.reading.track
    return { path: file, start: starts[first] ?? bytes, end: starts[last + 1] ?? bytes, isWhole }
  }

  /**
   * A plate of a file on the printer's card, if it was read before: for callers that start no reading. The card is only
   * listed for a file that the last listing did not have.
   * @throws PRN_ERR_NO_PLATE_FILE, the errors of the card
   */
  async known (session: PrinterSession, path: string, plate: number): Promise<Reading | undefined> {
    const entry = await this.#deps.files().find(session, path)
    if (entry === undefined || entry.isFolder) throw new NoPlateFile(path)
    const stored = await this.#deps.store.load(idOn(session, entry, plate))
    return stored && await this.#deps.store.track(stored) !== undefined ? stored.reading : undefined
  }

  /**
   * What should lie on the bed at the end of a layer, as a map of heights. It is drawn in a thread; the layers that
   * follow are then added quickly.
   * @param layer from 1; 0 is what is printed before the first
   * @throws the errors of this plugin and of the card
   */
  async outline (
    session: PrinterSession, path: string, plate: number, layer: number,
    { signal, skipped = new Map() }: OutlineOptions = {}
  ): Promise<Outline> {
    const { stored: { reading, track: name }, file: trackPath } = await this.#withTrack(session, path, plate, signal)
    const last = reading.plate.layers.length - 1
    if (!(layer >= 0 && layer <= last)) throw new NoSuchLayer(path, layer, last)
    const { bedMm } = session.model
    try {
      return await this.#deps.outlines.draw({ reading, name, trackPath, bedMm, layer, skipped }, signal)
    } catch (error) {
      if (signal?.aborted === true) throw error
      if (error instanceof ThreadBusy) throw new TooManyPlates({ cause: error })
      throw new PlateReadFailed(path, (error as Error).message, { cause: error })
    }
  }

  /** Call after a file was replaced, since the new one may have the same size and minute. */
  forget ({ config }: PrinterSession, path: string): void {
    this.#deps.store.forget({ place: config.serial, entry: { path } })
  }

  get #sources (): TargetSources { return { weigh: this.#deps.weigh, acceptsStartCode: this.#acceptsStartCode } }

  async #withTrack (session: PrinterSession, path: string, plate: number, signal: AbortSignal | undefined) {
    const its = { ...(signal && { signal }) }
    let stored = await this.#readCard(session, path, plate, its)
    let file = await this.#deps.store.track(stored)
    if (file === undefined) { // it has made room for others
      stored = await this.#readCard(session, path, plate, { ...its, isAnew: true })
      file = await this.#deps.store.track(stored)
    }
    if (file === undefined) throw new PlateReadFailed(path, 'its track could not be stored')
    return { stored, file }
  }

  /** A plate of a file in the library of sliced files, if the path names one. */
  async #inLibrary (
    session: PrinterSession, path: string, plate: number, work: Work
  ): Promise<StoredReading | undefined> {
    const [, id] = IN_LIBRARY.exec(path) ?? []
    if (id === undefined) return undefined
    const host = await this.#locate(id)
    const file = await openHostFile(host)
    await file.close()
    return await this.#readOnce(session, hostId(session, file.entry, plate), () => openHostFile(host), work)
  }

  async #readCard (
    session: PrinterSession, path: string, plate: number,
    { isCurrent = false, ...work }: Work & Pick<ReadOptions, 'isCurrent'>
  ): Promise<StoredReading> {
    const inLibrary = await this.#inLibrary(session, path, plate, work)
    if (inLibrary) return inLibrary
    const files = this.#deps.files()
    const { signal } = work
    const entry = await files[isCurrent ? 'stat' : 'find'](session, path, signal && { signal })
    if (entry === undefined || entry.isFolder) throw new NoPlateFile(path)
    const open = (its: AbortSignal) =>
      files.open(session, entry.path, { signal: its, ...(isCurrent && { entry }) })
    return await this.#readOnce(session, idOn(session, entry, plate), open, work)
  }

  async #readOnce (
    session: PrinterSession, id: PlateId, open: (signal: AbortSignal) => Promise<CardFile>,
    { signal, isAnew = false, isBackground = false }: Work
  ): Promise<StoredReading> {
    const known = isAnew ? undefined : await this.#deps.store.load(id)
    if (known !== undefined) return known
    const read = this.#work.run(JSON.stringify(id), its => this.#readFile(session, id, open, its), signal)
    // Only now, so that a caller who needs the very plate that is being read in the background takes it over.
    if (!isBackground) for (const own of this.#background) own.abort(new GaveWay())
    return await read
  }

  async #readFile (
    session: PrinterSession, id: PlateId, open: (signal: AbortSignal) => Promise<CardFile>, signal: AbortSignal
  ): Promise<StoredReading> {
    const { store, reader } = this.#deps
    const target = targetOf(session)
    const key = keyOf(id.place, id.entry.path, id.plate)
    this.#progress.set(key, { bytes: 0, total: 0 })
    try {
      const file = await open(signal)
      try {
        const source = await openPlate(file, id.plate, signal)
        return await store.save({ ...id, entry: file.entry }, source.size, (trackPath, mostTrackBytes) =>
          reader.read(source, { target, trackPath, mostTrackBytes }, signal, {
            onSure: sure => { this.#sure.set(key, sure) },
            onProgress: (bytes, total) => { this.#progress.set(key, { bytes, total }) }
          }))
      } finally {
        await file.close()
      }
    } catch (error) {
      if (signal.aborted || isServiceError(error)) throw error
      if (error instanceof ThreadBusy) throw new TooManyPlates({ cause: error })
      throw new PlateReadFailed(id.entry.path, (error as Error).message, { cause: error })
    } finally {
      this.#sure.delete(key)
      this.#progress.delete(key)
    }
  }
}

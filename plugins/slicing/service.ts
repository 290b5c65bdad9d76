import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import { NotFound, openJsonStore, type JsonStore, type PrinterRegistry, type PrinterSession } from '../../core/index.js'
import { chooseEngine, type FoundEngine } from './engines/choose-engine.js'
import { NoSlicedLibrary, StartCodeNotAccepted } from './errors.js'
import { SlicingJobs, type JobWork, type StoredJob } from './jobs.js'
import type { ImportedProfiles } from './imported/imported-profiles.js'
import type { ModelStore } from './model-store.js'
import type { Placement } from './models/index.js'
import type { OrderedPart, PlateOrder } from './schemas.js'
import { placeParts, profileFor, targetFor } from './make-plate.js'
import { slicePlate, type SlicePlateDeps } from './slice-plate.js'
import type { FoundSlicer, Slicer } from './types.js'

const Accepted = Type.Object({
  /** By serial: who accepted our start code for the printer, and when. */
  printers: Type.Record(Type.String(), Type.Object({ by: Type.String(), at: Type.Integer() }))
})

export interface SlicingServiceDeps extends SlicePlateDeps {
  readonly models: ModelStore
  readonly imports: ImportedProfiles
  readonly folder: string
  readonly slicers: readonly Slicer[]
  readonly printers: Pick<PrinterRegistry, 'get'>
  readonly now: () => number
  readonly warn: (message: string) => void
}

const PRINTER_MS = 30_000
const POLL_MS = 200
const NEUTRAL = '#B8BEC6'

/** Makes plates of models, and knows which printers may be moved by our start code. */
export class SlicingService {
  readonly #deps: SlicingServiceDeps
  readonly #accepted: JsonStore<Static<typeof Accepted>>
  readonly jobs: SlicingJobs

  private constructor (deps: SlicingServiceDeps, accepted: JsonStore<Static<typeof Accepted>>, jobs: SlicingJobs) {
    this.#deps = deps
    this.#accepted = accepted
    this.jobs = jobs
  }

  static async open (deps: SlicingServiceDeps): Promise<SlicingService> {
    const { folder, now, warn } = deps
    const accepted = await openJsonStore(join(folder, 'accepted.json'), { schema: Accepted, initial: { printers: {} }, warn })
    const service: { current?: SlicingService } = {}
    const jobs = await SlicingJobs.open({
      folder, now, warn, work: (job, work) => service.current!.#slice(job, work)
    })
    service.current = new SlicingService(deps, accepted, jobs)
    return service.current
  }

  get models (): ModelStore { return this.#deps.models }
  get imports (): ImportedProfiles { return this.#deps.imports }

  /** All slicers, with where they are. */
  async slicers (): Promise<readonly { readonly slicer: Slicer, readonly found: FoundSlicer | undefined }[]> {
    return await Promise.all(this.#deps.slicers.map(async slicer =>
      ({ slicer, found: await slicer.find().catch(() => undefined) })))
  }

  /** mm, of the printer. */
  nozzleOf (session: PrinterSession): number { return targetFor(session).nozzleMm }

  /** Who accepted our start code for a printer; undefined if nobody did. */
  acceptedBy ({ config: { serial } }: PrinterSession): { readonly by: string, readonly at: number } | undefined {
    const { printers } = this.#accepted.get()
    return Object.hasOwn(printers, serial) ? printers[serial] : undefined
  }

  async accept ({ config: { serial } }: PrinterSession, isAccepted: boolean, by: string): Promise<void> {
    const { [serial]: _, ...others } = this.#accepted.get().printers
    await this.#accepted.set({ printers: { ...others, ...isAccepted && { [serial]: { by, at: this.#deps.now() } } } })
  }

  /**
   * Puts a plate in the row.
   * @throws PRN_ERR_NO_SLICED_LIBRARY, PRN_ERR_NO_SLICER, PRN_ERR_WRONG_SLICER, PRN_ERR_START_CODE_NOT_ACCEPTED,
   * PRN_ERR_NO_SLICING_MODEL, PRN_ERR_NO_IMPORTED_PROFILE, PRN_ERR_BAD_INPUT, PRN_ERR_TOO_MANY_SLICING_JOBS
   */
  async start (session: PrinterSession, order: PlateOrder, by: string): Promise<StoredJob> {
    if (this.#deps.library === undefined) throw new NoSlicedLibrary()
    await this.#engineFor(order)
    const models = order.parts.map(({ model }) => this.models.find(model))
    this.#checkAccepted(session, order)
    const [first] = models
    const name = order.name ?? first?.name.replace(/\.[a-z0-9]+$/i, '').slice(0, 80) ?? 'plate'
    // A model of the same name that is uploaded later is not meant.
    const parts = order.parts.map((part, at) => ({ ...part, model: models[at]!.id }))
    return await this.jobs.add({ ...order, parts }, { name, printer: session.name, by })
  }

  /** Places parts on the bed of a printer, for a look at them. `use` gets what was placed, while its files exist. */
  async arrange<T> (
    session: PrinterSession, parts: readonly OrderedPart[],
    { color = NEUTRAL, signal }: { readonly color?: string | undefined, readonly signal: AbortSignal },
    use: (placement: Placement) => Promise<T>
  ): Promise<T> {
    const folder = await mkdtemp(join(this.#deps.folder, 'work-arrange-'))
    try {
      return await use(await placeParts(this.#deps, targetFor(session), parts, { color, brimMm: 0, folder, signal }))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #slice (job: StoredJob, { signal, folder, onStep }: JobWork) {
    const session = await this.#sessionOf(job.printer, signal)
    this.#checkAccepted(session, job.order) // it may have been withdrawn while the plate waited
    const engine = await this.#engineFor(job.order)
    return await slicePlate(this.#deps, session, engine, { ...job.order, name: job.name }, {
      signal, folder, onStep, by: job.created_by
    })
  }

  /** @throws PRN_ERR_START_CODE_NOT_ACCEPTED */
  #checkAccepted (session: PrinterSession, order: PlateOrder): void {
    const { startCode } = profileFor(this.#deps, targetFor(session, order.nozzle), order)
    if (startCode !== '' && !this.acceptedBy(session)) throw new StartCodeNotAccepted(session.name)
  }

  /** After a start of the service, jobs are there before printers. */
  async #sessionOf (printer: string, signal: AbortSignal): Promise<PrinterSession> {
    for (const end = Date.now() + PRINTER_MS; Date.now() < end; await delay(POLL_MS, undefined, { signal })) {
      const session = this.#deps.printers.get(printer)
      if (session) return session
    }
    throw new NotFound(`There is no printer '${printer}' any more: slice the plate for another one`)
  }

  /** The slicer for an order. @throws PRN_ERR_NO_SLICER, PRN_ERR_WRONG_SLICER, PRN_ERR_NO_IMPORTED_PROFILE */
  async #engineFor ({ engine, profile }: PlateOrder): Promise<FoundEngine> {
    const imported = profile === undefined ? undefined : this.imports.find(profile)
    return chooseEngine(await this.slicers(), {
      engine, kind: imported?.presets ? 'presets' : 'configuration', profile: imported?.name
    })
  }
}

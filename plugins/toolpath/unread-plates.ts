import type { FastifyBaseLogger } from 'fastify'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import {
  isActive, isStartOf, LONGEST_START_MS, openJsonStore, type JsonStore, type Kernel, type PrinterSession
} from '../../core/index.js'
import type { PlateStart, StartedPrint } from '../projects/index.js'

/** A print that runs longer than this is no reason to read its plate. */
const KEEP_MS = 86_400_000
const MOST = 300

const Unread = Type.Object({
  serial: Type.String(),
  since: Type.Number(),
  start: Type.Object({
    path: Type.String(),
    isOnHost: Type.Boolean(),
    plate: Type.Integer(),
    mapping: Type.Optional(Type.Array(Type.Integer())),
    plateType: Type.Optional(Type.String())
  }),
  print: Type.Object({
    job: Type.Object({ taskId: Type.String(), subtaskName: Type.String() }),
    accepted: Type.Array(Type.String()),
    pauses: Type.Boolean()
  })
})
type Unread = Static<typeof Unread>

export interface UnreadPlatesDeps {
  readonly kernel: Pick<Kernel, 'now' | 'signal'>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Reads a plate again and acts on what is found. */
  readonly follow: (session: PrinterSession, start: PlateStart, print: StartedPrint) => Promise<void>
}

/** Prints whose plates are still being read. They are stored, so that a service that was restarted reads on. */
export class UnreadPlates {
  readonly #deps: UnreadPlatesDeps
  readonly #store: JsonStore<Unread[]>

  private constructor (deps: UnreadPlatesDeps, store: JsonStore<Unread[]>) {
    this.#deps = deps
    this.#store = store
  }

  static async open (folder: string, deps: UnreadPlatesDeps): Promise<UnreadPlates> {
    const store = await openJsonStore(join(folder, 'unread.json'), {
      schema: Type.Array(Unread), initial: [], warn: message => deps.log.warn(message)
    })
    return new UnreadPlates(deps, store)
  }

  /** @returns to be called once the plate was judged */
  keep (session: PrinterSession, { path, isOnHost = false, plate, mapping, plateType }: PlateStart,
    { job: { taskId, subtaskName }, accepted, pauses }: StartedPrint): () => void {
    const entry: Unread = {
      serial: session.config.serial,
      since: this.#deps.kernel.now(),
      start: { path, isOnHost, plate, ...(mapping && { mapping: [...mapping] }), ...(plateType && { plateType }) },
      print: { job: { taskId, subtaskName }, accepted: [...accepted], pauses }
    }
    this.#set([...this.#store.get().filter(({ serial }) => serial !== entry.serial), entry].slice(-MOST))
    return () => {
      if (!this.#deps.kernel.signal.aborted) this.#drop(entry)
    }
  }

  /** Reads on for a printer that still runs the print, when the service started. */
  async resume (session: PrinterSession): Promise<void> {
    const { kernel, follow } = this.#deps
    const entry = this.#store.get().find(({ serial }) => serial === session.config.serial)
    if (entry === undefined) return
    const left = entry.since + KEEP_MS - kernel.now()
    const { job } = entry.print
    if (left > 0 && await session.until(() => true, Math.min(left, KEEP_MS)) &&
      await session.until(state => isStartOf(job, state.job) && isActive(state.job.gcodeState), LONGEST_START_MS)) {
      await follow(session, entry.start as PlateStart, entry.print)
    }
    if (!kernel.signal.aborted && !session.signal.aborted) this.#drop(entry)
  }

  #drop (entry: Unread): void { this.#set(this.#store.get().filter(other => other !== entry)) }

  #set (entries: Unread[]): void {
    this.#store.set(entries).catch((err: unknown) => this.#deps.log.warn({ err }, 'plates that are still being read are not stored'))
  }
}

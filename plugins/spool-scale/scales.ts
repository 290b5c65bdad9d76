import type { Kernel, Services } from '../../core/index.js'
import { readMessage, type Reading } from './read-message.js'
import { Scale } from './scale.js'

/** What came of a spool on a scale. */
export interface Outcome {
  readonly at: number
  /** Empty when it is not known which spool it was. */
  readonly spool: string
  readonly leftGrams: number | undefined
  /** Counted too little before, g; undefined for the first weighing. */
  readonly errorGrams: number | undefined
  /** Why it was not weighed; empty when it was. */
  readonly problem: string
}

export interface ScaleState {
  readonly name: string
  readonly grams: number | undefined
  readonly at: number | undefined
  readonly outcome: Outcome | undefined
}

/** The spool that a person is about to put on a scale. */
export interface Chosen {
  readonly spool: string
  /** Empty: any. */
  readonly scale: string
  readonly by: string
  readonly until: number
}

export interface ScalesOptions {
  readonly kernel: Pick<Kernel, 'now' | 'redact'>
  readonly spools: Services['spools']
  readonly changed: () => void
}

/** More than a household has; further names are left out, so that nobody fills the memory. */
const MOST_SCALES = 20
const NAME = /^[\w -]{1,40}$/
/** A scale that has weighed nothing makes room for another one when it was silent so long. */
const SILENT_MS = 10_000
/** Between two spools on one scale. */
const APART_MS = 3_000
/** More weighings of one spool in a day are no person's. */
const MOST_A_DAY = 100
const DAY_MS = 24 * 3_600_000
const CHOSEN_MS = 5 * 60_000
const WAITING_MS = 60_000
/** It is no longer the same load. */
const MOVED_GRAMS = 5
/** Two services with one broker and one database weigh alike within this time, and only one of them adds a row. */
const SAME_MS = 60_000
/** Between two readings of all spools for a scale that names an unknown one, so that a flood costs nothing. */
const ASK_MS = 10_000

/** Between two changes that pages are told of. */
const TELL_MS = 1_000

interface Known {
  readonly scale: Scale
  outcome: Outcome | undefined
  isBusy: boolean
  /** A steady value of a spool that nobody has named yet. */
  waiting: { readonly reading: Reading, readonly at: number } | undefined
  /** When spools were last read because it named an unknown one. */
  askedAt: number
  /** When a spool was last weighed or refused. */
  weighedAt: number
  /** It has weighed a spool: others do not push it out. */
  isProven: boolean
  /** The next spool, until enough time has passed. */
  later: { reading: Reading, readonly timer: NodeJS.Timeout } | undefined
}

/** The scales that were heard, and the weighings that came of them. */
export class Scales {
  readonly #options: ScalesOptions
  readonly #scales = new Map<string, Known>()
  /** Weighings of this day by spool. */
  #today = { from: -Infinity, counts: new Map<string, number>() }
  #telling: NodeJS.Timeout | undefined

  #chosen: Chosen | undefined

  constructor (options: ScalesOptions) { this.#options = options }

  get chosen (): Chosen | undefined {
    return this.#chosen && this.#chosen.until > this.#options.kernel.now() ? this.#chosen : undefined
  }

  list (): ScaleState[] {
    return [...this.#scales].map(([name, { scale: { last }, outcome }]) =>
      ({ name, grams: last?.grams, at: last?.at, outcome }))
  }

  /** @param spool empty: none @param scale empty: any */
  choose (spool: string, scale: string, by: string): void {
    this.#chosen = spool === '' ? undefined : { spool, scale, by, until: this.#options.kernel.now() + CHOSEN_MS }
    this.#options.changed()
    const { now } = this.#options.kernel
    for (const [own, known] of this.#scales) { // a scale that speaks only when its value changes says nothing more
      const { waiting } = known
      if (spool !== '' && waiting && now() - waiting.at <= WAITING_MS && (scale === '' || scale === own)) void this.#weighOnce(own, waiting.reading)
    }
  }

  /** Takes a message; never throws. @param name of the scale, from the topic */
  async hear (name: string, payload: Buffer): Promise<void> {
    if (!NAME.test(name)) return
    const known = this.#scales.get(name) ?? this.#added(name)
    if (known === undefined) return
    const read = readMessage(payload)
    if ('problem' in read) {
      if (known.outcome?.problem !== read.problem) this.#end(name, { spool: '', problem: read.problem })
      return
    }
    const { waiting } = known
    if (waiting && Math.abs(waiting.reading.grams - read.reading.grams) > MOVED_GRAMS) known.waiting = undefined
    if (known.later && Math.abs(known.later.reading.grams - read.reading.grams) > MOVED_GRAMS) this.#drop(known)
    const reading = known.scale.add(read.reading, this.#options.kernel.now())
    if (reading !== undefined) await this.#weighOnce(name, reading)
  }

  async #weighOnce (name: string, reading: Reading): Promise<void> {
    const known = this.#scales.get(name)
    if (known === undefined || known.isBusy) return
    const passed = this.#options.kernel.now() - known.weighedAt
    if (passed >= 0 && passed < APART_MS) { // a scale that speaks only when its value changes says nothing more
      if (known.later) known.later.reading = reading
      else known.later = { reading, timer: setTimeout(() => this.#weighLater(name), APART_MS - passed).unref() }
      return
    }
    this.#drop(known)
    known.isBusy = true
    const before = known.outcome
    try {
      await this.#weigh(name, reading)
    } finally {
      if (known.outcome !== before) known.weighedAt = this.#options.kernel.now()
      known.isBusy = false
    }
  }

  #weighLater (name: string): void {
    const known = this.#scales.get(name)
    const reading = known?.later?.reading
    if (known === undefined || reading === undefined) return
    this.#drop(known)
    known.weighedAt = -Infinity
    void this.#weighOnce(name, reading)
  }

  #drop (known: Known): void {
    clearTimeout(known.later?.timer)
    known.later = undefined
  }

  /** @returns undefined while there are too many, which anybody could invent */
  #added (name: string): Known | undefined {
    if (this.#scales.size >= MOST_SCALES) {
      const before = this.#options.kernel.now() - SILENT_MS
      const silent = [...this.#scales].filter(([, { isProven, scale }]) => !isProven && (scale.last?.at ?? 0) <= before)
        .toSorted(([, a], [, b]) => (a.scale.last?.at ?? 0) - (b.scale.last?.at ?? 0))[0]
      if (silent === undefined) return undefined
      this.#drop(silent[1])
      this.#scales.delete(silent[0])
    }
    const known: Known = {
      scale: new Scale(),
      outcome: undefined,
      isBusy: false,
      waiting: undefined,
      askedAt: -Infinity,
      weighedAt: -Infinity,
      isProven: false,
      later: undefined
    }
    this.#scales.set(name, known)
    return known
  }

  /** @throws Error for too many weighings of one spool */
  #count (spool: string): void {
    const now = this.#options.kernel.now()
    if (Math.abs(now - this.#today.from) > DAY_MS) this.#today = { from: now, counts: new Map() }
    const count = (this.#today.counts.get(spool) ?? 0) + 1
    if (count > MOST_A_DAY) throw new Error('this spool was weighed too often today')
    this.#today.counts.set(spool, count)
  }

  close (): void {
    clearTimeout(this.#telling)
    for (const known of this.#scales.values()) this.#drop(known)
  }

  /** A flood of messages does not make every page read anew for each of them. */
  #tell (): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.#options.changed()
    }, TELL_MS).unref()
  }

  async #weigh (name: string, reading: Reading): Promise<void> {
    const { kernel, spools } = this.#options
    const named = await this.#named(name, reading)
    const chosen = this.chosen && (this.chosen.scale === '' || this.chosen.scale === name) ? this.chosen : undefined
    const spool = named ?? chosen?.spool
    if (spool === undefined) {
      const known = this.#scales.get(name)
      if (reading.spool === '' && reading.tag === '') { // it waits until somebody chooses the spool
        if (known) known.waiting = { reading, at: kernel.now() }
        return
      }
      known?.scale.take(reading)
      this.#end(name, { spool: '', problem: `no spool has the ${reading.spool === '' ? `tag ${reading.tag}` : `id ${reading.spool}`}` })
      return
    }
    this.#scales.get(name)?.scale.take(reading)
    if (chosen?.spool === spool) this.#chosen = undefined
    const now = kernel.now()
    try {
      this.#count(spool)
      const key = `scale/${name}/${spool}/${Math.round(reading.grams)}/${Math.floor(now / SAME_MS)}`
      const weighing = await spools.inventory.weigh(spool, reading.grams, undefined, chosen ? `${chosen.by}, ${name}` : name, key)
      const known = this.#scales.get(name)
      if (known) known.isProven = true
      const { row } = await spools.inventory.find(spool)
      this.#end(name, { spool, problem: '', leftGrams: row.net === null ? undefined : row.net - row.used, errorGrams: weighing?.error })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#end(name, { spool, problem: kernel.redact(reason).slice(0, 300) })
    }
  }

  /** The same, of all spools: a scale that speaks only when its value changes does not ask again. */
  async #named (name: string, reading: Reading): Promise<string | undefined> {
    if (reading.spool === '' && reading.tag === '') return undefined
    const { kernel, spools } = this.#options
    await spools.known()
    const found = this.#spoolOf(reading)
    const known = this.#scales.get(name)
    if (found !== undefined || known === undefined || Math.abs(kernel.now() - known.askedAt) < ASK_MS) return found
    known.askedAt = kernel.now()
    await spools.refresh().catch(() => {}) // one that was added through another service
    return this.#spoolOf(reading)
  }

  /** The spool that a scale names; undefined: it names none, or one that does not exist. */
  #spoolOf ({ spool, tag }: Reading): string | undefined {
    const all = this.#options.spools.all()
    if (spool !== '') return all.find(({ id }) => id === spool)?.id
    if (tag === '') return undefined
    const wanted = tag.toUpperCase()
    return all.find(one => one.tag.toUpperCase() === wanted)?.id
  }

  #end (name: string, { spool, problem, leftGrams, errorGrams }: Pick<Outcome, 'spool' | 'problem'> & Partial<Outcome>): void {
    const known = this.#scales.get(name)
    if (known) known.waiting = undefined
    if (known) known.outcome = { at: this.#options.kernel.now(), spool, problem, leftGrams, errorGrams }
    this.#tell()
  }
}

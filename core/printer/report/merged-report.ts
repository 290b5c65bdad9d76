import { clearsAms, onlyListedUnits, withoutAmsBits } from './ams-merge.js'
import { sizeWithin } from './bounded-equal.js'
import { mergeReport, type ReportTree, type WarnFn } from './report.js'
import type { Raw } from '../state/raw.js'

/** `msg` of an incremental report. */
const INCREMENTAL = 1
/** Full reports have at least three times as many fields; the heartbeats of some printers only a handful. */
const FEWEST_FIELDS = 20

/** No incremental report has so many: some firmware marks its full reports as incremental. */
const FEWEST_FIELDS_MARKED = 40

const isFull = (body: Raw): boolean => body.gcode_state !== undefined &&
  Object.keys(body).length >= (Number(body.msg) === INCREMENTAL ? FEWEST_FIELDS_MARKED : FEWEST_FIELDS)

/** Limit of a merged report; real ones have some 20,000 characters. */
const MAX_CHARS = 2 * 1024 * 1024
const MAX_LEVELS = 32
/** The size is only measured after so many received bytes, which makes its cost negligible. */
const MEASURE_EVERY_BYTES = 1024 * 1024

/** A printer's last full report, with the incremental ones since. */
export class MergedReport {
  readonly #warn: WarnFn
  #tree: ReportTree = {}
  /** The last report with AMS bits cleared all of them. */
  #isCleared = false
  #changes: Map<string, unknown> | undefined
  #copy: Raw | undefined
  #isComplete = false
  #unmeasuredBytes = 0

  constructor (warn: WarnFn) { this.#warn = warn }

  get tree (): Raw { return this.#tree }

  /** A frozen copy. */
  get raw (): Raw {
    this.#copy ??= Object.freeze({ ...this.#tree })
    return this.#copy
  }

  /** A full report has arrived on this connection. */
  get isComplete (): boolean { return this.#isComplete }

  /** Fields that changed since the last decoding; undefined when all of them may have. */
  get changes (): ReadonlyMap<string, unknown> | undefined { return this.#changes }

  /** Call when it was decoded. */
  clearChanges (): void { this.#changes = new Map() }

  /** A new connection: incremental reports cannot be used until a full one has arrived. */
  expectFull (): void { this.#isComplete = false }

  /** @param bytes length of its message */
  apply (body: Raw, bytes: number): void {
    if (isFull(body)) {
      if (this.#isComplete) this.#dropUnlistedUnits(body)
      else this.#reset()
      this.#isComplete = true
    }
    mergeReport(this.#tree, this.#withoutSwitchOff(body), this.#changes ?? new Map(), this.#warn)
    this.#copy = undefined
    this.#limitSize(bytes)
  }

  #reset (): void {
    this.#tree = {}
    this.#isCleared = false
    this.#changes = undefined
    this.#copy = undefined
  }

  /** Drops the merged report of a printer that keeps growing it. */
  #limitSize (bytes: number): void {
    this.#unmeasuredBytes += bytes
    if (this.#unmeasuredBytes < MEASURE_EVERY_BYTES) return
    this.#unmeasuredBytes = 0
    if (sizeWithin(this.#tree, MAX_CHARS, MAX_LEVELS) >= 0) return
    this.#warn('size', 'report')
    this.#reset()
    this.#isComplete = false
  }

  #dropUnlistedUnits ({ ams: patch }: Raw): void {
    const listed = onlyListedUnits(this.#tree.ams, patch)
    if (listed === this.#tree.ams) return
    if (this.#changes?.has('ams') === false) this.#changes.set('ams', this.#tree.ams)
    this.#tree.ams = listed
  }

  /**
   * A printer that is being switched off clears all AMS bits once, although the spools are still there. Cleared bits
   * count from the second report on: with an unplugged AMS, every report clears them.
   */
  #withoutSwitchOff (body: Raw): Raw {
    const clears = clearsAms(body)
    if (clears === undefined) return body
    const isDoubtful = clears && !this.#isCleared && this.#tree.ams !== undefined
    this.#isCleared = clears
    return isDoubtful ? withoutAmsBits(body) : body
  }
}

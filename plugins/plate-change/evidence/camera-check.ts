import { createHash } from 'node:crypto'
import type { PrinterSession } from '../../../core/index.js'
import type { Frame } from '../../camera/index.js'
import type { PlateChangeStore } from '../store.js'
import type { PictureRow } from '../tables.js'
import { closest, comparePictures, isBlank, maskPixels, type GreyPicture, type Mask } from './compare-pictures.js'
import { GreyCache, greyPicture, markedPicture, storedPicture } from './grey-pictures.js'
import { measureError, type MeasuredError } from './measure-error.js'
import type { Evidence } from './types.js'

/** Two pictures, so that a camera that stands still is noticed. ms. */
const BETWEEN_MS = 2_000
const MEASURES = 50

export type LatestFrame =
  (session: PrinterSession, options: { maxAgeMs: number, signal: AbortSignal }) => Promise<Frame>

export interface CameraCheckDeps {
  readonly store: Pick<PlateChangeStore, 'pictures'>
  /** Undefined without cameras. */
  readonly latestFrame: LatestFrame | undefined
  readonly now: () => number
  readonly betweenMs?: number
}

export interface Measurement extends MeasuredError {
  /** Of the pictures and the mask. */
  readonly hash: string
}

/** The last picture that was judged. */
export interface LastCheck {
  readonly at: number
  readonly score: number
  readonly limit: number
  readonly verdict: Evidence['verdict']
  readonly marked: Buffer
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
  const timer = setTimeout(done, ms)
  function done (): void {
    clearTimeout(timer)
    signal.removeEventListener('abort', done)
    if (signal.aborted) reject(new Error('the check was ended'))
    else resolve()
  }
  signal.addEventListener('abort', done)
})

const hashOf = (pictures: readonly PictureRow[], mask: Mask): string =>
  createHash('sha256').update(JSON.stringify([pictures.map(({ id, kind }) => [id, kind]), mask])).digest('hex').slice(0, 32)

/** Compares the camera's picture with pictures of the empty plate, and measures how often that is wrong. */
export class CameraCheck {
  readonly #deps: CameraCheckDeps
  readonly #cache = new GreyCache()
  readonly #measured = new Map<string, Measurement>()
  /** By serial. */
  readonly #last = new Map<string, LastCheck>()

  constructor (deps: CameraCheckDeps) { this.#deps = deps }

  last (serial: string): LastCheck | undefined { return this.#last.get(serial) }

  /** A new picture, as it is stored. @throws the errors of the camera */
  async take (session: PrinterSession, signal: AbortSignal): Promise<Buffer> {
    const { latestFrame } = this.#deps
    if (!latestFrame) throw new Error('this service has no cameras')
    return await storedPicture((await latestFrame(session, { maxAgeMs: 0, signal })).jpeg)
  }

  /** What the stored pictures say of themselves. */
  async measure (serial: string, mask: Mask, given?: readonly PictureRow[]): Promise<Measurement> {
    const pictures = given ?? await this.#deps.store.pictures(serial)
    const hash = hashOf(pictures, mask)
    const known = this.#measured.get(hash)
    if (known) return known
    const { empties, fulls, bed } = await this.#read(pictures, mask)
    const against = async (picture: GreyPicture): Promise<number[]> => {
      await new Promise(resolve => { setImmediate(resolve) }) // others want the thread, too
      return empties.map(empty => comparePictures(picture, empty, bed).score)
    }
    const [empty, full]: number[][][] = [[], []]
    for (const picture of mask.length < 3 ? [] : empties) empty!.push(await against(picture))
    for (const picture of mask.length < 3 ? [] : fulls) full!.push(await against(picture))
    const measured = { ...measureError({ empty: empty!, full: full! }), hash }
    this.#measured.set(hash, measured)
    for (const old of this.#measured.keys()) if (this.#measured.size > MEASURES) this.#measured.delete(old)
    return measured
  }

  /** Judges two new pictures. @param accepted hash of the measurement that a person accepted */
  async check (session: PrinterSession, mask: Mask, accepted: string, signal: AbortSignal): Promise<Evidence> {
    const { store, latestFrame, now, betweenMs = BETWEEN_MS } = this.#deps
    const { serial } = session.config
    const unsure = (reason: string): Evidence => ({ verdict: 'unsure', reason })
    if (!latestFrame) return { ...unsure('this service has no cameras'), isMissing: true }
    const pictures = await store.pictures(serial)
    const measured = await this.measure(serial, mask, pictures)
    if (accepted === '' || measured.hash !== accepted) return unsure('nobody accepted the measured error of these pictures')
    if (!measured.isEnough || measured.full.wrong > 0) return unsure('the measured error is too large')
    const begun = now()
    const first = await latestFrame(session, { maxAgeMs: 0, signal })
    await pause(betweenMs, signal)
    const second = await latestFrame(session, { maxAgeMs: 0, signal })
    if (first.capturedAt < begun || second.capturedAt <= first.capturedAt || first.jpeg.equals(second.jpeg)) {
      return unsure('the camera\'s picture stands still')
    }
    const one = await this.#judge(session, first.jpeg, mask, pictures, measured)
    if (one.verdict !== 'empty') return one
    return await this.#judge(session, second.jpeg, mask, pictures, measured)
  }

  async #judge (
    session: PrinterSession, jpeg: Buffer, mask: Mask, pictures: readonly PictureRow[], { limit, fullFrom }: Measurement
  ): Promise<Evidence> {
    const { empties, bed } = await this.#read(pictures, mask)
    const picture = await greyPicture(await storedPicture(jpeg)) // as the others were
    if (isBlank(picture, bed)) return { verdict: 'unsure', reason: 'the camera\'s picture shows nothing' }
    const difference = closest(picture, empties, bed)
    if (!difference) return { verdict: 'unsure', reason: 'there are no pictures of the empty plate' }
    const { score } = difference
    const verdict = score <= limit ? 'empty' : score >= fullFrom ? 'full' : 'unsure'
    const marked = await markedPicture(jpeg, difference, limit)
    this.#last.set(session.config.serial, { at: this.#deps.now(), score, limit, verdict, marked })
    const figures = `difference ${score.toFixed(1)}, limit ${limit.toFixed(1)}`
    const words = { empty: 'shows an empty plate', full: 'shows something on the plate', unsure: 'is neither like an empty plate nor unlike one' }
    return { verdict, reason: `the camera's picture ${words[verdict]} (${figures})` }
  }

  async #read (pictures: readonly PictureRow[], mask: Mask) {
    const of = async (kind: PictureRow['kind']): Promise<GreyPicture[]> => {
      const found: GreyPicture[] = []
      for (const picture of pictures) if (picture.kind === kind) found.push(await this.#cache.of(picture))
      return found
    }
    const [empties, fulls] = [await of('empty'), await of('full')]
    const { width, height } = empties[0] ?? fulls[0] ?? { width: 1, height: 1 }
    return { empties, fulls, bed: maskPixels(mask, width, height) }
  }
}

import type { Job, PrinterSession } from '../../../core/index.js'
import type { PlateType } from '../print/project-file.js'
import type { PlateFinding } from '../schemas.js'
import { checkFindings, type Accepts } from './check-findings.js'

/** A print that is to be started, as far as its G-code is judged by it. */
export interface PlateStart {
  /** On the printer's card, or on this host. */
  readonly path: string
  readonly isOnHost?: boolean
  readonly plate: number
  /** Tray by filament id - 1; undefined if nothing comes from an AMS. */
  readonly mapping?: readonly number[] | undefined
  /** Build plate that the printer is told to use. */
  readonly plateType?: PlateType
}

/** A print that was started while its plate was still being read. */
export interface StartedPrint extends Accepts {
  /** As it was sent to the printer. */
  readonly job: Pick<Job, 'taskId' | 'subtaskName'>
  /** A finding that would have refused it pauses it. */
  readonly pauses: boolean
}

/** What reading the moves of a plate has found. */
export interface PlateJudgement {
  readonly findings: readonly PlateFinding[]
  /** Why the plate could not be judged; empty if it was. */
  readonly unread: string
  /** Given while the plate is still being read: acts on what is found later. */
  readonly follow?: (print: StartedPrint) => void
}

export interface JudgeOptions {
  readonly signal: AbortSignal
  /** Longest wait; reading goes on after it. */
  readonly withinMs: number
}

export type JudgePlate = (session: PrinterSession, start: PlateStart, options: JudgeOptions) => Promise<PlateJudgement>

/** A file that was sent from this host to a card. */
export interface SentPlate { readonly from: string, readonly to: string, readonly plate: number }

/** The plugin that reads plates. */
export interface PlateReading {
  readonly judge: JudgePlate
  /** What was read of the file need not be read again on the card. */
  readonly uploaded: (session: PrinterSession, sent: SentPlate, signal: AbortSignal) => Promise<void>
}

/** A start waits no longer for a slow card. */
const CARD_MS = 20_000
const HOST_MS = 120_000

const NOT_READ: PlateJudgement = { findings: [], unread: 'This service does not read plates.' }

/** Has plates read before they are printed, by the plugin that can do so. */
export class PlateJudge {
  readonly #cardMs: number
  #reading: PlateReading | undefined

  constructor (cardMs = CARD_MS) { this.#cardMs = cardMs }

  /** Sets the plugin that reads plates. */
  by (reading: PlateReading): void { this.#reading = reading }

  /**
   * Refuses a plate that must not be printed. One that cannot be read is not refused: `unread` says why.
   * @throws PRN_ERR_PLATE_FINDINGS, the signal's reason
   */
  async check (
    session: PrinterSession, start: PlateStart, { signal, ...accepts }: Accepts & Pick<JudgeOptions, 'signal'>
  ): Promise<PlateJudgement> {
    if (this.#reading === undefined) return NOT_READ
    const withinMs = start.isOnHost === true ? HOST_MS : this.#cardMs
    const judgement = await this.#reading.judge(session, start, { signal, withinMs })
    checkFindings(session.name, judgement.findings, accepts)
    return judgement
  }

  /**
   * Spares a second reading. Where that fails, the plate is read again on the card: no start fails for it.
   * @throws the signal's reason
   */
  async uploaded (session: PrinterSession, sent: SentPlate, signal: AbortSignal): Promise<void> {
    await this.#reading?.uploaded(session, sent, signal).catch(() => signal.throwIfAborted())
  }
}

import { randomBytes } from 'node:crypto'
import { BadInput } from '../../core/index.js'
import { QUEUE_LENGTH } from './queue.js'
import type { Alert } from './types.js'

/** Alerts after a cursor, and the cursor after them. */
export interface Followed {
  readonly alerts: readonly Alert[]
  readonly cursor: string
  /** Some alerts after the cursor have been dropped. */
  readonly missed: boolean
}

/** The last alerts of each printer, for readers that keep a cursor. Reading does not remove anything. */
export interface AlertHistory {
  push (alert: Alert): void
  /**
   * @param cursor of an earlier answer; empty for all that are kept
   * @param printer undefined for all
   * @throws PRN_ERR_BAD_INPUT for what is no cursor
   */
  after (cursor: string, printer?: string): Followed
  forget (printer: string): void
}

interface Entry { readonly count: number, readonly alert: Alert }
interface Line { readonly entries: Entry[], dropped: number }

const CURSOR = /^([0-9a-f]{8})-(\d{1,15})$/

/** Counting restarts with each run of the service, so a cursor names its run. */
export function createAlertHistory (run = randomBytes(4).toString('hex')): AlertHistory {
  const lines = new Map<string, Line>()
  let count = 0

  const linesOf = (printer: string | undefined): readonly Line[] =>
    printer === undefined ? [...lines.values()] : [lines.get(printer)].filter(line => line !== undefined)

  /** After a restart every kept alert is new to the reader. */
  function place (cursor: string): { readonly count: number, readonly here: boolean } {
    if (cursor === '') return { count: 0, here: true }
    const [, theirs, number] = CURSOR.exec(cursor) ?? []
    if (theirs === undefined) throw new BadInput('since must be the cursor of an earlier answer, or empty on the first call')
    return theirs === run ? { count: Number(number), here: true } : { count: 0, here: false }
  }

  return {
    push (alert) {
      const line = lines.get(alert.printer) ?? { entries: [], dropped: 0 }
      lines.set(alert.printer, line)
      line.entries.push({ count: ++count, alert })
      if (line.entries.length > QUEUE_LENGTH) line.dropped = line.entries.shift()?.count ?? 0
    },
    after (cursor, printer) {
      const { count: after, here } = place(cursor)
      const wanted = linesOf(printer)
      const entries = wanted.flatMap(line => line.entries.filter(entry => entry.count > after))
      return {
        alerts: entries.sort((a, b) => a.count - b.count).map(({ alert }) => alert),
        cursor: `${run}-${count}`,
        missed: !here || (cursor !== '' && wanted.some(({ dropped }) => dropped > after))
      }
    },
    forget (printer) { lines.delete(printer) }
  }
}

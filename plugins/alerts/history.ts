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

/** The last alerts of each printer, for readers with a cursor. Reading does not remove anything. */
export interface AlertHistory {
  push (alert: Alert): void
  /**
   * @param cursor of an earlier answer; empty for all retained alerts
   * @param printer undefined for all
   * @throws PRN_ERR_BAD_INPUT for an invalid cursor
   */
  after (cursor: string, printer?: string): Followed
  forget (printer: string): void
}

interface Entry { readonly count: number, readonly alert: Alert }
interface Buffered { readonly entries: Entry[], dropped: number }

const CURSOR = /^([0-9a-f]{8})-(\d{1,15})$/

/** Counting restarts whenever the service starts, so a cursor contains an id of that run. */
export function createAlertHistory (run = randomBytes(4).toString('hex')): AlertHistory {
  const buffers = new Map<string, Buffered>()
  let count = 0

  const buffersOf = (printer: string | undefined): readonly Buffered[] =>
    printer === undefined ? [...buffers.values()] : [buffers.get(printer)].filter(buffer => buffer !== undefined)

  /** After a restart, all retained alerts are new to the reader. */
  function place (cursor: string): { readonly count: number, readonly here: boolean } {
    if (cursor === '') return { count: 0, here: true }
    const [, theirs, number] = CURSOR.exec(cursor) ?? []
    if (theirs === undefined) throw new BadInput('since must be the cursor of an earlier answer, or empty on the first call')
    return theirs === run ? { count: Number(number), here: true } : { count: 0, here: false }
  }

  return {
    push (alert) {
      const buffer = buffers.get(alert.printer) ?? { entries: [], dropped: 0 }
      buffers.set(alert.printer, buffer)
      buffer.entries.push({ count: ++count, alert })
      if (buffer.entries.length > QUEUE_LENGTH) buffer.dropped = buffer.entries.shift()?.count ?? 0
    },
    after (cursor, printer) {
      const { count: after, here } = place(cursor)
      const wanted = buffersOf(printer)
      const entries = wanted.flatMap(buffer => buffer.entries.filter(entry => entry.count > after))
      return {
        alerts: entries.sort((a, b) => a.count - b.count).map(({ alert }) => alert),
        cursor: `${run}-${count}`,
        missed: !here || (cursor !== '' && wanted.some(({ dropped }) => dropped > after))
      }
    },
    forget (printer) { buffers.delete(printer) }
  }
}

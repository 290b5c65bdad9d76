import type { Alert } from './types.js'

/** Unread alerts per printer; beyond this the oldest are dropped. */
export const QUEUE_LENGTH = 50

/** Unread alerts by printer. Held in memory only; not affected by reconnects. */
export interface AlertQueue {
  push (alert: Alert): void
  /** @returns the printer's alerts, oldest first, without taking them */
  peek (printer: string): readonly Alert[]
  /** All alerts by printer, without printers that have none. */
  peekAll (): Readonly<Record<string, readonly Alert[]>>
  /** Removes and returns the printer's alerts, or only so many of the oldest. */
  drain (printer: string, most?: number): readonly Alert[]
  /** Removes and returns all alerts by printer, without printers that have none. */
  drainAll (): Readonly<Record<string, readonly Alert[]>>
}

/** @param onTaken called for each printer whose alerts were taken */
export function createAlertQueue (onTaken: (printer: string) => void = () => {}): AlertQueue {
  const queues = new Map<string, Alert[]>()

  function drain (printer: string, most = Infinity): readonly Alert[] {
    const waiting = queues.get(printer)
    if (!waiting) return []
    const left = waiting.slice(most)
    if (left.length > 0) queues.set(printer, left)
    else queues.delete(printer)
    onTaken(printer)
    return waiting.slice(0, most)
  }

  return {
    push (alert) {
      const queue = queues.get(alert.printer) ?? []
      queues.set(alert.printer, queue)
      queue.push(alert)
      if (queue.length > QUEUE_LENGTH) queue.shift()
    },
    peek: printer => [...queues.get(printer) ?? []],
    peekAll: () => Object.fromEntries([...queues].map(([printer, alerts]) => [printer, [...alerts]])),
    drain,
    drainAll: () => Object.fromEntries([...queues.keys()].map(printer => [printer, drain(printer)]))
  }
}

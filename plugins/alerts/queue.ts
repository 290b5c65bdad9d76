import type { Alert } from './types.js'

/** Alerts kept for each printer; older ones make room. Source: alert rules. */
export const QUEUE_LENGTH = 50

/** Alerts that nobody has read yet, by printer. In memory only; it outlives sessions. */
export interface AlertQueue {
  push (alert: Alert): void
  /** @returns the printer's alerts, oldest first, without taking them */
  peek (printer: string): readonly Alert[]
  /** Takes the printer's alerts. */
  drain (printer: string): readonly Alert[]
  /** Takes everything, by printer, printers without alerts left out. */
  drainAll (): Readonly<Record<string, readonly Alert[]>>
}

export function createAlertQueue (): AlertQueue {
  const queues = new Map<string, Alert[]>()

  function drain (printer: string): readonly Alert[] {
    const taken = queues.get(printer) ?? []
    queues.delete(printer)
    return taken
  }

  return {
    push (alert) {
      const queue = [...queues.get(alert.printer) ?? [], alert]
      queues.set(alert.printer, queue.slice(-QUEUE_LENGTH))
    },
    peek: printer => queues.get(printer) ?? [],
    drain,
    drainAll: () => Object.fromEntries([...queues.keys()].map(printer => [printer, drain(printer)]))
  }
}

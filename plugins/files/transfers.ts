import { randomUUID } from 'node:crypto'
import { NotFound } from '../../core/index.js'
import { TransferCancelled } from './errors.js'
import type { TransferRecord, Transfers } from './types.js'

const MOST_RECORDS = 50

/** A caller that has all bytes may disconnect before the printer has confirmed them. */
const isComplete = ({ direction, bytes, total }: TransferRecord): boolean =>
  direction === 'download' && total > 0 && bytes === total

export function createTransfers (now: () => number): Transfers {
  const records = new Map<string, TransferRecord>()
  const running = new Map<string, AbortController>()
  const listeners = new Set<(record: TransferRecord) => void>()

  function publish (record: TransferRecord): void {
    records.set(record.id, record)
    for (const listener of listeners) listener(record)
    const old = [...records.values()].find(({ id }) => !running.has(id))
    if (records.size > MOST_RECORDS && old) records.delete(old.id)
  }

  return {
    list: printer => [...records.values()].reverse()
      .filter(record => printer === undefined || record.printer === printer),
    cancel (id) {
      const controller = running.get(id)
      if (!controller) throw new NotFound(`There is no transfer '${id}' that could be cancelled`)
      controller.abort(new TransferCancelled())
    },
    watch (listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    async record (about, { name: printer }, options, work) {
      const controller = new AbortController()
      const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal
      let record: TransferRecord = {
        id: randomUUID(), printer, ...about, status: 'running', bytes: 0, total: 0, startedAt: now()
      }
      const change = (fields: Partial<TransferRecord>) => publish(record = { ...record, ...fields })
      running.set(record.id, controller)
      publish(record)
      try {
        const outcome = await work({
          signal,
          onProgress (progress) {
            change(progress)
            options.onProgress?.(progress)
          }
        })
        running.delete(record.id)
        change({ status: 'done', endedAt: now(), ...(record.total > 0 && { bytes: record.total }) })
        return outcome
      } catch (error) {
        running.delete(record.id)
        const endedAt = now()
        if (options.signal?.aborted === true && isComplete(record)) change({ status: 'done', endedAt })
        else change({ status: signal.aborted ? 'cancelled' : 'failed', endedAt, error: (error as Error).message })
        throw error
      }
    }
  }
}

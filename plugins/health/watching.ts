import { Type } from 'typebox'
import { openJsonStore, type PrinterSession } from '../../core/index.js'
import type { Monitor } from './monitor/monitor.js'

/** By printer, where somebody has chosen. */
const Choices = Type.Record(Type.String(), Type.Boolean())

export interface WatchingOptions {
  /** Of the file with the choices. */
  readonly path: string
  /** For printers that nobody has chosen for: the option of the configuration file. */
  readonly usual: boolean
  readonly monitor: Pick<Monitor, 'follow' | 'forget'>
  readonly warn: (message: string) => void
  /** Nobody judges this printer any more. */
  readonly onOff: (printer: string) => void
}

/** Which printers the monitor watches. */
export interface Watching {
  isWatched (printer: string): boolean
  /** @returns stops following the printer */
  follow (session: PrinterSession): () => void
  change (session: PrinterSession, isWatched: boolean): Promise<void>
  forget (printer: string): Promise<void>
  /** Resolves when all writes are done. */
  settled (): Promise<void>
}

export async function openWatching ({ path, usual, monitor, warn, onOff }: WatchingOptions): Promise<Watching> {
  const store = await openJsonStore(path, { schema: Choices, initial: {}, warn })
  const sessions = new Map<PrinterSession, (() => void) | undefined>()
  const isWatched = (printer: string): boolean => {
    const chosen = store.get()
    return Object.hasOwn(chosen, printer) ? chosen[printer] === true : usual
  }

  /** Begins or ends what does not fit the choice. */
  function review (session: PrinterSession): void {
    const stop = sessions.get(session)
    if (isWatched(session.name) === (stop !== undefined)) return
    stop?.()
    sessions.set(session, stop ? undefined : monitor.follow(session))
    if (stop === undefined) return
    monitor.forget(session.name) // an old verdict would look like a new one
    onOff(session.name)
  }

  return {
    isWatched,
    follow (session) {
      sessions.set(session, isWatched(session.name) ? monitor.follow(session) : undefined)
      return () => {
        sessions.get(session)?.()
        sessions.delete(session)
      }
    },
    async change (session, chosen) {
      await store.set({ ...store.get(), [session.name]: chosen })
      if (sessions.has(session)) review(session)
    },
    async forget (printer) {
      const { [printer]: gone, ...others } = store.get()
      if (gone !== undefined) await store.set(others)
    },
    settled: store.settled
  }
}

import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'
import { SettingsSchema, type Settings } from './schemas.js'

/** Settings of each printer; those not chosen follow the configuration. */
export interface SettingsStore {
  of (printer: string): Settings
  change (printer: string, changes: Partial<Settings>): Promise<Settings>
  forget (printer: string): Promise<void>
  /** Resolves when all writes are done. */
  settled (): Promise<void>
}

const File = Type.Record(Type.String(), Type.Partial(SettingsSchema))

const INTERVAL_S = 10

/** @param onChanged called for each printer whose settings changed */
export async function openSettings (path: string, defaults: Pick<Settings, 'evidence' | 'keep_connected'>,
  warn: (message: string) => void, onChanged: (printer: string) => void): Promise<SettingsStore> {
  const store = await openJsonStore(path, { schema: File, initial: {}, warn })
  const usual: Settings = { timelapse: 'off', interval_s: INTERVAL_S, ...defaults }
  const chosenOf = (printer: string): Partial<Settings> => store.get()[printer] ?? {}
  const of = (printer: string): Settings => ({ ...usual, ...chosenOf(printer) })

  return {
    of,
    async change (printer, changes) {
      await store.set({ ...store.get(), [printer]: { ...chosenOf(printer), ...changes } })
      onChanged(printer)
      return of(printer)
    },
    async forget (printer) {
      const { [printer]: gone, ...others } = store.get()
      if (gone !== undefined) await store.set(others)
    },
    settled: store.settled
  }
}

import { join } from 'node:path'
import { Type } from 'typebox'
import type { PinStore } from './session/index.js'
import { openJsonStore } from './store.js'

const PinsSchema = Type.Object({
  version: Type.Literal(1),
  fingerprints: Type.Record(Type.String(), Type.String(), { description: 'SHA-256 of the certificate by serial' })
})

/** Certificates learned at first contact. A changed one is refused until its entry is dropped. */
export interface Pins extends PinStore {
  /** Forgets what was learned of a printer, so that its next certificate is accepted. */
  drop (serial: string): Promise<void>
}

export async function openPins (dataDir: string, warn: (message: string) => void): Promise<Pins> {
  const store = await openJsonStore(join(dataDir, 'certificates.json'),
    { schema: PinsSchema, initial: { version: 1, fingerprints: {} }, warn })
  const save = (fingerprints: Record<string, string>) => store.set({ version: 1, fingerprints })
  return {
    get: serial => store.get().fingerprints[serial],
    set: (serial, fingerprint) => {
      save({ ...store.get().fingerprints, [serial]: fingerprint })
        .catch((error: Error) => warn(`the certificate of ${serial} could not be stored: ${error.message}`))
    },
    drop: async serial => {
      const { [serial]: _dropped, ...rest } = store.get().fingerprints
      await save(rest)
    }
  }
}

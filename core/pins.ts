import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { PinStore } from './session/index.js'
import { openJsonStore } from './store.js'
import { misfit } from './validate.js'

const PinsSchema = Type.Object({
  version: Type.Literal(1),
  fingerprints: Type.Record(Type.String(), Type.String(), { description: 'SHA-256 of the certificate by serial' })
})
type Fingerprints = Readonly<Record<string, string>>

/** Certificates learned at first contact. A changed one is refused until its entry is dropped. */
export interface Pins extends PinStore {
  /** Forgets what was learned of a printer, so that its next certificate is accepted. */
  drop (serial: string): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

/** The file is looked at before each use: the command line may have accepted a new certificate meanwhile. */
export async function openPins (dataDir: string, warn: (message: string) => void): Promise<Pins> {
  const store = await openJsonStore(join(dataDir, 'certificates.json'),
    { schema: PinsSchema, initial: { version: 1, fingerprints: {} }, warn })
  let writing = 0
  let seen = changeOf(store.path)
  let known: Fingerprints = store.get().fingerprints

  function current (): Fingerprints {
    const change = changeOf(store.path)
    if (writing === 0 && change !== seen) {
      known = readAgain(store.path) ?? known
      seen = change
    }
    return known
  }

  async function save (fingerprints: Fingerprints): Promise<void> {
    known = fingerprints
    writing++
    try {
      await store.set({ version: 1, fingerprints })
    } finally {
      writing--
      seen = changeOf(store.path)
    }
  }

  return {
    get: serial => current()[serial],
    set: (serial, fingerprint) => {
      save({ ...current(), [serial]: fingerprint })
        .catch((error: Error) => warn(`the certificate of ${serial} could not be stored: ${error.message}`))
    },
    drop: async serial => {
      const { [serial]: _dropped, ...rest } = current()
      await save(rest)
    },
    settled: store.settled
  }
}

/** Tells one content of a file from another; empty while there is none to be seen. */
function changeOf (path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path)
    return `${ino} ${mtimeMs}`
  } catch {
    return ''
  }
}

/** @returns undefined for a file that is gone or not good: what is known stays */
function readAgain (path: string): Fingerprints | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'))
    return misfit(PinsSchema, value) === undefined ? value.fingerprints : undefined
  } catch {
    return undefined
  }
}

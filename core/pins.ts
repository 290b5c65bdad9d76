import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { exclusively } from './file-lock.js'
import type { PinStore } from './session/index.js'
import { openJsonStore, writeJson } from './store.js'
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
  const { path, get } = await openJsonStore(join(dataDir, 'certificates.json'),
    { schema: PinsSchema, initial: { version: 1, fingerprints: {} }, warn })
  let seen = changeOf(path)
  let stored: Fingerprints = get().fingerprints
  /** What holds already and is not in the file yet. */
  const pending: ((fingerprints: Fingerprints) => Fingerprints)[] = []
  let writing: Promise<unknown> = Promise.resolve()

  function current (): Fingerprints {
    const change = changeOf(path)
    if (change !== seen) {
      stored = readAgain(path) ?? stored
      seen = change
    }
    return pending.reduce((known, change) => change(known), stored)
  }

  async function write (): Promise<void> {
    const count = pending.length
    if (count === 0) return // written along with what came before
    const fingerprints = current()
    await writeJson(path, { version: 1, fingerprints })
    pending.splice(0, count)
    stored = fingerprints
    seen = changeOf(path)
  }

  function save (change: typeof pending[number]): Promise<void> {
    pending.push(change)
    const turn = exclusively(path, write)
    writing = turn.catch(() => {})
    return turn
  }

  return {
    get: serial => current()[serial],
    set: (serial, fingerprint) => {
      save(known => ({ ...known, [serial]: fingerprint }))
        .catch((error: Error) => warn(`the certificate of ${serial} could not be stored: ${error.message}`))
    },
    drop: serial => save(({ [serial]: _dropped, ...rest }) => rest),
    settled: async () => { await writing }
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

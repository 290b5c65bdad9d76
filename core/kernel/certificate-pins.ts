import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { exclusively } from '../util/file-lock.js'
import { readPins, readPinsAgain, type StoredPins } from './certificate-pins-file.js'
import type { PinStore } from '../printer/index.js'
import { LOST_PIN } from '../printer/tls.js'
import { writeJson } from '../util/json-store.js'

/** Certificates learned at first contact. A changed one is refused until its entry is dropped. */
export interface Pins extends PinStore {
  /** Forgets what was learned of a printer, so that its next certificate is accepted. */
  drop (serial: string): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

/** The file is looked at before each use: the command line may have accepted a new certificate meanwhile. */
export async function openPins (dataDir: string, warn: (message: string) => void): Promise<Pins> {
  const path = join(dataDir, 'certificates.json')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  let stored = await readPins(path, warn)
  let seen = changeOf(path)
  /** What holds already and is not in the file yet. */
  const pending: ((pins: StoredPins) => StoredPins)[] = []
  let writing: Promise<unknown> = Promise.resolve()

  function current (): StoredPins {
    const change = changeOf(path)
    if (change !== seen) {
      stored = readPinsAgain(path) ?? stored
      seen = change
    }
    return pending.reduce((known, change) => change(known), stored)
  }

  async function write (): Promise<void> {
    const count = pending.length
    if (count === 0) return // written along with what came before
    const pins = current()
    await writeJson(path, pins)
    pending.splice(0, count)
    stored = pins
    seen = changeOf(path)
  }

  function save (change: typeof pending[number]): Promise<void> {
    pending.push(change)
    const turn = exclusively(path, write)
    writing = turn.catch(() => {})
    return turn
  }

  return {
    get: serial => pinOf(current(), serial),
    set: (serial, fingerprint) => {
      save(pins => withPin(pins, serial, fingerprint))
        .catch((error: Error) => warn(`the certificate of ${serial} could not be stored: ${error.message}`))
    },
    drop: serial => save(pins => withoutPin(pins, serial)),
    settled: async () => { await writing }
  }
}

function pinOf ({ fingerprints, accepted }: StoredPins, serial: string): string | undefined {
  const known = fingerprints[serial]
  const mayLearn = accepted === undefined || accepted.includes(serial)
  return known ?? (mayLearn ? undefined : LOST_PIN)
}

const withPin = (pins: StoredPins, serial: string, fingerprint: string): StoredPins =>
  ({ ...pins, fingerprints: { ...pins.fingerprints, [serial]: fingerprint } })

function withoutPin (pins: StoredPins, serial: string): StoredPins {
  const { [serial]: _dropped, ...fingerprints } = pins.fingerprints
  const { accepted, ...rest } = pins
  return { ...rest, fingerprints, ...(accepted !== undefined && { accepted: [...new Set([...accepted, serial])] }) }
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

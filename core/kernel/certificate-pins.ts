import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withFileLock } from '../util/file-lock.js'
import { readPins, readPinsAgain, type StoredPins } from './certificate-pins-file.js'
import type { PinStore } from '../printer/index.js'
import { LOST_PIN } from '../printer/tls.js'
import { writeJson } from '../util/json-store.js'

/** Certificates pinned on first connection. A changed one is refused until its pin is dropped. */
export interface Pins extends PinStore {
  /** Forgets a printer's certificate, so that its next one is accepted. */
  drop (serial: string): Promise<void>
  /** Resolves when no write is in progress. */
  settled (): Promise<void>
}

/** The file is checked before each use: the command line may have accepted a new certificate meanwhile. */
export async function openPins (dataDir: string, warn: (message: string) => void): Promise<Pins> {
  const path = join(dataDir, 'certificates.json')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  let stored = await readPins(path, warn)
  let seen = changeOf(path)
  /** Changes that apply already but are not in the file yet. */
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
    if (count === 0) return // written together with an earlier change
    const pins = current()
    await writeJson(path, pins)
    pending.splice(0, count)
    stored = pins
    seen = changeOf(path)
  }

  function save (change: typeof pending[number]): Promise<void> {
    pending.push(change)
    const turn = withFileLock(path, write)
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

/** Identifies the content of a file; empty while there is none. */
function changeOf (path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path)
    return `${ino} ${mtimeMs}`
  } catch {
    return ''
  }
}

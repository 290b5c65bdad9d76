import { copyFile } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { parseJson, writeJson } from '../util/json-store.js'
import { readOwnText, readOwnTextSync } from '../util/own-file.js'

const PinsSchema = Type.Object({
  version: Type.Literal(1),
  fingerprints: Type.Record(Type.String(), Type.String({ minLength: 1 }), { description: 'SHA-256 of the certificate by serial' }),
  accepted: Type.Optional(Type.Array(Type.String(), {
    description: 'There once was a file that could not be read. Of printers whose certificate is not known, only these ' +
      'may show a first one again'
  }))
})

/** The stored fingerprints. */
export type StoredPins = Readonly<Static<typeof PinsSchema>>

/**
 * Reads the fingerprints. A file that is damaged or from a newer version is copied aside and replaced by one that
 * accepts no unknown certificate: with an empty file, the next start would trust any certificate. If that cannot be
 * written, the damaged file stays, and printers are refused at the next start as well.
 * @throws PRN_ERR_NOT_A_FILE
 */
export async function readPins (path: string, warn: (message: string) => void): Promise<StoredPins> {
  const text = await readOwnText(path)
  if (text === undefined) return { version: 1, fingerprints: {} }
  const parsed = parseJson(text, PinsSchema)
  if ('value' in parsed) return parsed.value
  const aside = `${path}.damaged-${Date.now()}`
  const empty: StoredPins = { version: 1, fingerprints: {}, accepted: [] }
  const outcome = await copyFile(path, aside).then(() => writeJson(path, empty)).then(
    () => `it was saved as ${aside}`, (error: Error) => `it cannot be replaced: ${error.message}`)
  warn(`${path} is damaged or from a newer version (${parsed.reason}); ${outcome}. Until you accept them again with ` +
    '`prnd printers test NAME --accept-certificate`, or put back a good copy, printers are not connected to')
  return empty
}

/** @returns undefined for a missing or invalid file */
export function readPinsAgain (path: string): StoredPins | undefined {
  try {
    const parsed = parseJson(readOwnTextSync(path), PinsSchema)
    return 'value' in parsed ? parsed.value : undefined
  } catch {
    return undefined
  }
}

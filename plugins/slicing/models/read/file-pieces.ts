import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { CheckAborted } from '../refusal.js'

const PIECE_BYTES = 1024 ** 2

/** A part of a file in pieces of whole records; the bytes of a piece are valid until the next one. */
export function * filePieces (
  path: string, checkAborted: CheckAborted, { start = 0, end = Infinity, recordBytes = 1 } = {}
): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const last = Math.min(end, fstatSync(file).size)
    const buffer = new Uint8Array(Math.floor(PIECE_BYTES / recordBytes) * recordBytes)
    let at = start
    while (at < last) {
      checkAborted()
      let filled = 0
      while (filled < buffer.length && at < last) {
        const count = readSync(file, buffer, filled, Math.min(buffer.length - filled, last - at), at)
        if (count === 0) return
        filled += count
        at += count
      }
      yield buffer.subarray(0, filled)
    }
  } finally {
    closeSync(file)
  }
}

/** The first bytes of a file. */
export function fileHead (path: string, length: number): Uint8Array {
  const [head = new Uint8Array(0)] = filePieces(path, () => {}, { end: length })
  return head
}

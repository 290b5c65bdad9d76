import type { Places } from './find-places.js'

const NEWLINE = 10

export interface Insertions {
  readonly start: Buffer
  readonly end: Buffer
}

/**
 * Copies G-code with two insertions at whole lines. All other bytes stay as they are; only a last line without an end
 * gets one, if something follows it.
 */
export async function * insertLines (
  source: AsyncIterable<Uint8Array>, { startLine, endLine }: Pick<Places, 'startLine' | 'endLine'>, { start, end }: Insertions
): AsyncGenerator<Uint8Array> {
  /** Lines before which something is inserted, from 1. */
  const due = [{ line: startLine, bytes: start }, { line: endLine + 1, bytes: end }]
  let line = 1
  let isAtLineStart = true
  for await (const piece of source) {
    let from = 0
    let at = 0
    while (due.length > 0) {
      if (isAtLineStart && line === due[0]!.line) {
        if (at > from) yield piece.subarray(from, at)
        from = at
        yield due.shift()!.bytes
        continue
      }
      if (at === piece.length) break
      const next = piece.indexOf(NEWLINE, at)
      isAtLineStart = next !== -1
      if (!isAtLineStart) break
      line++
      at = next + 1
    }
    if (from < piece.length) yield piece.subarray(from)
  }
  if (due.some(({ bytes }) => bytes.length > 0) && !isAtLineStart) yield Buffer.from('\n')
  for (const { bytes } of due) yield bytes
}

import type { Clock } from './clock.js'
import { isJson, type Json } from './json-merge.js'

/** One message of a recorded report stream. */
export interface RecordedFrame {
  /** ms since the start. */
  readonly t: number
  /** A document, or a text that is published verbatim. */
  readonly payload: Readonly<Json> | string
}

export interface PlayOptions {
  /** Starts again after the last frame. Default false. */
  readonly loop?: boolean
}

export interface Playback {
  /** Resolves after the last frame, or when stopped. */
  readonly done: Promise<void>
  stop (): void
}

const fail = (line: number, what: string): never => {
  throw new SyntaxError(`Recording, line ${line}: ${what}`)
}

function parseLine (text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(line, `not JSON (${error instanceof Error ? error.message : String(error)})`)
  }
}

function readFrame (text: string, line: number, after: number): RecordedFrame {
  const frame = parseLine(text, line)
  if (!isJson(frame)) return fail(line, 'not an object')
  const { t, payload } = frame
  const isTime = typeof t === 'number' && t >= 0 && t < Infinity
  if (!isTime) return fail(line, '"t" must be milliseconds, 0 or more')
  if (t < after) return fail(line, `"t" goes back from ${after} to ${t}`)
  if (isJson(payload) || typeof payload === 'string') return { t, payload }
  return fail(line, '"payload" must be an object or a text')
}

/**
 * Reads a recording: one `{ "t": <ms since start>, "payload": <object or text> }` per line; blank lines are skipped.
 *
 * @throws SyntaxError that names the line
 */
export function parseRecording (text: string): RecordedFrame[] {
  const frames: RecordedFrame[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    frames.push(readFrame(line, at + 1, frames.at(-1)?.t ?? 0))
  }
  return frames
}

/** Hands every frame to `publish` at its time. A loop waits one millisecond before it starts again. */
export function playRecording (
  frames: readonly RecordedFrame[],
  clock: Clock,
  publish: (frame: RecordedFrame) => void,
  { loop = false }: PlayOptions = {}
): Playback {
  const ended = withResolvers()
  let cancel = (): void => {}

  const step = (at: number, begun: number): void => {
    const frame = frames[at]
    if (frame === undefined) {
      if (loop && frames.length > 0) cancel = clock.after(1, () => step(0, clock.now()))
      else ended.resolve()
      return
    }
    cancel = clock.after(Math.max(0, begun + frame.t - clock.now()), () => {
      publish(frame)
      step(at + 1, begun)
    })
  }

  step(0, clock.now())
  return { done: ended.promise, stop () { cancel(); ended.resolve() } }
}

function withResolvers (): { promise: Promise<void>, resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(_resolve => { resolve = _resolve })
  return { promise, resolve: () => resolve() }
}

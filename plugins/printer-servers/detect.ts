import type { Socket } from 'node:net'
import type { ConnectionLimits } from '../../core/index.js'

// The detect service on ports 3000 and 3002: which printer is at this address? Slicers ask before they add one.

/** What the service says about a printer. */
export interface DetectedPrinter {
  readonly serial: string
  /** Model code. */
  readonly code: string
  readonly firmware: string
  readonly name: string
}

/** Complete frames, and the bytes that follow them. */
export interface DetectFrames {
  /** The parsed content of each frame. */
  readonly documents: readonly unknown[]
  /** An incomplete frame; empty if there is none. */
  readonly rest: Buffer
}

const START = Buffer.from([0xA5, 0xA5])
const END = Buffer.from([0xA7, 0xA7])
const LENGTH_AT = START.length
const CONTENT_AT = LENGTH_AT + 2
/** The length of a frame includes these bytes. */
const OVERHEAD = CONTENT_AT + END.length
const LONGEST_FRAME = 0xFFFF
/** Requests have less than a hundred bytes. */
const LONGEST_REQUEST = 4096
/** More requests than this in one connection are not answered. */
const MOST_REQUESTS = 8
/** The number of a recorded reply. Some printers repeat the request's instead; slicers are known to accept both. */
const SEQUENCE_ID = 3021

/** The whole exchange takes less than a second; nobody logs in, so all clients are strangers. */
export const DETECT_LIMITS: ConnectionLimits =
  { connections: 64, connectionsPerAddress: 8, strangers: 64, strangersPerAddress: 8, strangerMs: 5_000 }

/** @throws RangeError if the document is too long for a frame */
export function frameDetect (document: unknown): Buffer {
  const content = Buffer.from(JSON.stringify(document))
  const length = OVERHEAD + content.length
  if (length > LONGEST_FRAME) throw new RangeError(`A frame of ${length} bytes: ${LONGEST_FRAME} at most`)
  const head = Buffer.alloc(CONTENT_AT)
  START.copy(head)
  head.writeUInt16LE(length, LENGTH_AT)
  return Buffer.concat([head, content, END])
}

/** Whether the bytes that have arrived may begin a frame. */
const maybeFrame = (bytes: Buffer): boolean =>
  bytes.subarray(0, START.length).equals(START.subarray(0, Math.min(bytes.length, START.length)))

/** Reads the frames at the start of what has arrived; undefined if that is not the protocol, or a frame is too long. */
export function readDetectFrames (bytes: Buffer): DetectFrames | undefined {
  const documents: unknown[] = []
  let rest = bytes
  while (maybeFrame(rest)) {
    if (rest.length < CONTENT_AT) return { documents, rest }
    const length = rest.readUInt16LE(LENGTH_AT)
    if (length <= OVERHEAD || length > LONGEST_REQUEST) return undefined
    if (rest.length < length) return { documents, rest }
    const frame = rest.subarray(0, length)
    if (!frame.subarray(length - END.length).equals(END)) return undefined
    try {
      documents.push(JSON.parse(frame.toString('utf8', CONTENT_AT, length - END.length)))
    } catch {
      return undefined
    }
    rest = rest.subarray(length)
  }
  return undefined
}

function isDetect (document: unknown): boolean {
  const { login } = (document ?? {}) as { login?: { command?: unknown } | null }
  return login?.command === 'detect'
}

/** A printer that accepts access codes from the network; the code itself is never sent. */
const replyOf = ({ serial, code, firmware, name }: DetectedPrinter): Buffer => frameDetect({
  login: {
    bind: 'free',
    command: 'detect',
    connect: 'lan',
    dev_cap: 1,
    id: serial,
    model: code,
    name,
    sequence_id: SEQUENCE_ID,
    version: firmware
  }
})

/**
 * Answers the requests that arrive first on a connection, and ends it. It is destroyed if they are not understood; the
 * server's limits end clients that do not ask.
 */
export const serveDetect = (describe: () => DetectedPrinter) => (socket: Socket): void => {
  let arrived: Buffer = Buffer.alloc(0)
  const take = (chunk: Buffer): void => {
    arrived = Buffer.concat([arrived, chunk])
    const frames = readDetectFrames(arrived)
    if (frames === undefined) return socket.destroy() as unknown as void
    arrived = frames.rest
    if (frames.documents.length === 0) return
    socket.off('data', take).resume()
    const requests = frames.documents.filter(isDetect).slice(0, MOST_REQUESTS)
    if (requests.length === 0) return socket.destroy() as unknown as void
    try {
      const reply = replyOf(describe())
      socket.end(Buffer.concat(requests.map(() => reply)))
    } catch {
      socket.destroy() // the name is too long for a frame
    }
  }
  socket.on('data', take)
}

import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { withModel, type Discovered } from './announcement.js'

// The detect service of printers: it says which printer is at an address, without its access code. Nothing proves
// what it says, so that the answer may only fill in a form.

export interface DetectPorts {
  readonly plain: number
  readonly tls: number
}

export const DETECT_PORTS: DetectPorts = { plain: 3000, tls: 3002 }

/** A printer answers within a second. */
const WITHIN_MS = 4_000
/** Replies have about two hundred bytes. */
const LONGEST_REPLY = 4096
const LENGTH_AT = 2
const CONTENT_AT = 4
const END_BYTES = 2
const SERIAL = /^[A-Z0-9]{1,32}$/
const LONGEST_TEXT = 64
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/g

/** The request of slicers, of 58 bytes. */
const REQUEST = Buffer.from(
  '\u00A5\u00A5\u003A\u0000{"login":{"command":"detect","sequence_id":"20000"}}\u00A7\u00A7', 'latin1')

/** `partial` if more bytes are needed; undefined for anything but a reply. */
export function readDetectReply (bytes: Buffer): Record<string, unknown> | 'partial' | undefined {
  if (bytes.length < CONTENT_AT) return 'partial'
  const length = bytes.readUInt16LE(LENGTH_AT)
  if (bytes.readUInt16BE(0) !== 0xA5A5 || length > LONGEST_REPLY || length < CONTENT_AT + END_BYTES) return undefined
  if (bytes.length < length) return 'partial'
  if (bytes.readUInt16BE(length - END_BYTES) !== 0xA7A7) return undefined
  try {
    const { login } = JSON.parse(bytes.toString('utf8', CONTENT_AT, length - END_BYTES)) as { login?: Record<string, unknown> }
    return login?.command === 'detect' ? login : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(CONTROL, '').trim().slice(0, LONGEST_TEXT) : ''

/** Undefined without a serial number that a printer could have. */
export function detectedFrom (reply: Record<string, unknown>, host: string): Discovered | undefined {
  const serial = textOf(reply.id)
  if (!SERIAL.test(serial)) return undefined
  return withModel({
    name: textOf(reply.name),
    ip: host,
    serial,
    model: textOf(reply.model),
    bind_state: textOf(reply.bind),
    connect_state: textOf(reply.connect),
    firmware_version: textOf(reply.version)
  })
}

/** Asks over one connection. @throws if there is no answer, or none that is understood */
function ask (socket: Socket, ready: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Record<string, unknown>> {
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    let arrived: Buffer = Buffer.alloc(0)
    const give = (): void => reject(signal.reason)
    signal.addEventListener('abort', give, { once: true })
    if (signal.aborted) give()
    socket
      .once(ready, () => { socket.write(REQUEST) })
      .on('error', reject)
      .once('close', () => {
        signal.removeEventListener('abort', give)
        reject(new Error('the connection was closed'))
      })
      .on('data', chunk => {
        arrived = Buffer.concat([arrived, chunk])
        const reply = readDetectReply(arrived)
        if (reply === 'partial') return
        if (reply === undefined) reject(new Error('this is no printer'))
        else resolve(reply)
      })
  }).finally(() => socket.destroy())
}

/**
 * Asks an address which printer is there, on both ports at once, because models differ in which one they have open.
 *
 * @param host address or host name
 * @returns undefined if no printer says so within four seconds
 * @throws the signal's reason
 */
export async function detectPrinter (host: string, signal: AbortSignal, ports = DETECT_PORTS):
Promise<Discovered | undefined> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const timer = setTimeout(() => over.abort(new Error('no answer in time')), WITHIN_MS)
  try {
    const reply = await Promise.any([
      ask(connectPlain({ host, port: ports.plain }), 'connect', until),
      // no secret is sent, and a printer's certificate could not be checked before its serial number is known
      ask(connectTls({ host, port: ports.tls, rejectUnauthorized: false }), 'secureConnect', until)
    ])
    return detectedFrom(reply, host)
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(timer)
    over.abort(new Error('another port has answered'))
  }
}

import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { ConnectionError } from './connection-error.js'

/** A server that speaks first does so right after the TCP connection. */
const ANSWER_MS = 1_000
const LONGEST = 200

/** Reads what a server sends unencrypted, up to the end of its first line. @param speak begins the conversation */
function firstLine (host: string, port: number, signal: AbortSignal, speak: (socket: Socket) => void): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    let text = ''
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(done, ANSWER_MS)
    signal.addEventListener('abort', done, { once: true })
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      if (text.includes('\n') || text.length > LONGEST) done()
    })
    socket.once('error', done).once('close', done)
    speak(socket)
  })
}

const greetingOf = (host: string, port: number, signal: AbortSignal): Promise<string> =>
  firstLine(host, port, signal, () => {})

/** First byte of a TLS record: an alert or a handshake. */
const TLS_RECORDS = ['\u0015', '\u0016']
const isTls = (text: string): boolean => TLS_RECORDS.some(first => text.startsWith(first))

/** The plain-text answer of a server to a TLS handshake, as web servers send it; empty if it speaks TLS. */
async function answerToTls (host: string, port: number, signal: AbortSignal): Promise<string> {
  const text = await firstLine(host, port, signal, socket => {
    const opening = new Duplex({
      read () {},
      write (chunk: Buffer, _encoding, done) {
        socket.write(chunk)
        done()
      }
    })
    const tls = connectTls({ socket: opening, rejectUnauthorized: false }).on('error', () => {})
    socket.once('close', () => tls.destroy())
  })
  return isTls(text) ? '' : text
}

/** Safe for terminals and pages, as it comes from an untrusted server. */
const shown = (said: string): string =>
  (said.split('\n')[0] ?? '').replaceAll(/[^\x20-\x7e]+/g, ' ').trim().slice(0, LONGEST)

/** @param said the server's reply with its code */
export const tooManyClients = (where: string, said: string): ConnectionError => new ConnectionError('login_refused',
  `${where}: too many clients are connected to the printer's file server; close one, such as a slicer or another ` +
  `file manager (${shown(said)})`)

const WEB = /^HTTP\/|^<(!doctype|html)/i

/** Why there is no TLS, judged by the server's text. */
function plainTextError (where: string, said: string): ConnectionError {
  const text = shown(said)
  if (/^421\b/.test(text)) return tooManyClients(where, text)
  if (/^5\d\d\b/.test(text)) {
    return new ConnectionError('unreachable', `${where}: the file server there does not work: it says '${text}'. ` +
      'Check that a card is inserted, then switch the printer off and on.')
  }
  const who = WEB.test(text) ? 'a web server' : text.startsWith('SSH-') ? 'an SSH server' : 'a server without encryption'
  return new ConnectionError('not_a_printer', `${where}: ${who} answers there, and no printer` +
    `${text === '' ? '' : ` (it says '${text}')`}. Check the address and the port.`)
}

const CUT_OFF = /^(ECONNRESET|EPIPE)$/
/** The server did not answer in TLS. One that aborts the handshake with an alert did. */
const NOT_TLS = /^(EPROTO|ERR_SSL_(?!.*ALERT).+)$/

/**
 * Opens an encrypted connection. If the server answers in plain text instead, like other services and printers' file
 * servers with too many clients, a second connection reads its message.
 * @throws ConnectionError with the reason, else what `open` throws
 */
export async function explainPlainText<T> (open: () => Promise<T>, host: string, port: number, signal: AbortSignal):
Promise<T> {
  try {
    return await open()
  } catch (failure) {
    if (signal.aborted || !NOT_TLS.test(codeOf(failure))) throw failure
    const said = await greetingOf(host, port, signal) || await answerToTls(host, port, signal)
    if (said === '' || signal.aborted) throw failure
    throw plainTextError(`${host}:${port}`, said)
  }
}

/**
 * The same for a printer's file server, which may have room again a moment later.
 * @throws ConnectionError login_refused if it has too many clients, else as {@link explainPlainText}
 */
export async function detectFullServer<T> (open: () => Promise<T>, host: string, port: number, signal: AbortSignal):
Promise<T> {
  try {
    return await open()
  } catch (failure) {
    const code = codeOf(failure)
    if (signal.aborted || !(NOT_TLS.test(code) || CUT_OFF.test(code))) throw failure
    const where = `${host}:${port}`
    const said = await greetingOf(host, port, signal)
    if (signal.aborted) throw failure
    if (said !== '') throw isTls(said) ? failure : plainTextError(where, said)
    // It now waits for TLS, so there is room again, unless the plain-text connection took the place.
    return await open().catch(async (again: unknown) => {
      if (!NOT_TLS.test(codeOf(again))) throw again
      const answer = await answerToTls(host, port, signal)
      throw answer === '' ? tooManyClients(where, 'it answers some connections without TLS') : plainTextError(where, answer)
    })
  }
}

/** The error code of a failure, or of its cause. */
function codeOf (failure: unknown): string {
  const cause = failure instanceof ConnectionError ? failure.cause : failure
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

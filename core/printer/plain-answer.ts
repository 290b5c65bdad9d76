import { connect } from 'node:net'
import { ConnectionError } from '../connection-error.js'

/** A server that refuses a client says so right after the TCP connection. */
const GREETING_MS = 1_000
const LONGEST = 200

/** What a server sends in plain text after the TCP connection; empty when it waits for TLS. */
function greetingOf (host: string, port: number, signal: AbortSignal): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    let text = ''
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(done, GREETING_MS)
    signal.addEventListener('abort', done, { once: true })
    socket.setEncoding('latin1').on('data', (chunk: unknown) => {
      text += String(chunk)
      if (text.includes('\n') || text.length > LONGEST) done()
    })
    socket.once('error', done).once('close', done)
  })
}

/** @param said the server's reply with its code */
export const tooManyClients = (where: string, said: string): ConnectionError => new ConnectionError('login_refused',
  `${where}: too many clients are connected to the printer's file server; close one, such as a slicer or another ` +
  `file manager (${said.replaceAll(/[^\x20-\x7e]+/g, ' ').trim().slice(0, LONGEST)})`)

const FAILED_HANDSHAKE = /^(EPROTO|ECONNRESET|EPIPE|ERR_SSL_WRONG_VERSION_NUMBER)$/

/**
 * Connects to an FTPS server. One with too many clients sends `421` in plain text, which fails as a TLS handshake:
 * a plain connection then reads what it sends.
 * @throws ConnectionError login_refused when that is the reason, else what `open` throws
 */
export async function detectFullServer<T> (open: () => Promise<T>, host: string, port: number, signal: AbortSignal):
Promise<T> {
  try {
    return await open()
  } catch (failure) {
    if (signal.aborted || !FAILED_HANDSHAKE.test(codeOf(failure))) throw failure
    const said = await greetingOf(host, port, signal)
    if (/^421\b/.test(said)) throw tooManyClients(`${host}:${port}`, said)
    if (said !== '' || signal.aborted) throw failure
    // It waits for TLS now, so there is room again. The plain connection took a place, so it may be full once more.
    return await open().catch((again: unknown) => {
      throw isPlainText(again) ? tooManyClients(`${host}:${port}`, 'it answers some connections without TLS') : again
    })
  }
}

/** OpenSSL's error for plain text in place of a handshake. */
const isPlainText = (failure: unknown): boolean => /wrong version number/i.test(messageOf(failure))

const causeOf = (failure: unknown): unknown => failure instanceof ConnectionError ? failure.cause : failure

const messageOf = (failure: unknown): string => {
  const cause = causeOf(failure)
  return cause instanceof Error ? cause.message : ''
}

/** The error code of a failure, or of its cause. */
function codeOf (failure: unknown): string {
  const { code } = (causeOf(failure) ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

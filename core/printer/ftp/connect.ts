import { Client, FTPError, type FTPContext, type FTPResponse } from 'basic-ftp'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { timeoutSignal } from '../../util/timeout-signal.js'
import { detectFullServer } from '../plain-answer.js'
import type { ServerQuirks } from './server-quirks.js'
import { verifyCertificate, peerOf, tlsOptions, type Target } from '../tls.js'
import type { SdCardTimeouts } from './types.js'

export interface ClientTarget extends Target {
  readonly user: string
  readonly accessCode: string
  readonly timeouts: SdCardTimeouts
  readonly quirks: ServerQuirks
}

const TOO_OLD = 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'

/** Connects with a TLS version that the server accepts: one that refuses TLS 1.2 gets 1.3 from then on. */
export async function connectFtp (target: ClientTarget, onPeer: (fingerprint: string) => void, signal: AbortSignal):
Promise<Client> {
  const { quirks, host, port } = target
  const open = async () => await openClient(target, onPeer, signal)
  try {
    return await detectFullServer(open, host, port, signal)
  } catch (error) {
    if (quirks.maxVersion === 'TLSv1.3' || (error as { code?: unknown }).code !== TOO_OLD) throw error
    quirks.maxVersion = 'TLSv1.3'
    return await open()
  }
}

/**
 * Connects, verifies the certificate, and only then logs in.
 * @param onPeer called with the fingerprint of a certificate that passed
 */
async function openClient (target: ClientTarget, onPeer: (fingerprint: string) => void, signal: AbortSignal):
Promise<Client> {
  signal.throwIfAborted()
  const client = new Client(target.timeouts.silenceMs)
  const abort = () => client.close()
  signal.addEventListener('abort', abort, { once: true })
  const { quirks } = target
  client.prepareTransfer = async ftp => {
    const { response, socket } = await openData(ftp, quirks)
    ftp.dataSocket = socket
    return response
  }
  const options: ConnectionOptions = tlsOptions(target, quirks.maxVersion)
  try {
    const { message } = await client.connectImplicitTLS(target.host, target.port, options)
    quirks.greeted(message)
    const peer = peerOf(client.ftp.socket as TLSSocket)
    const refused = verifyCertificate(peer, target)
    if (refused) throw refused
    await client.login(target.user, target.accessCode)
    onPeer(peer.fingerprint)
    for (const command of ['OPTS UTF8 ON', 'PBSZ 0']) await client.sendIgnoringError(command)
    await protect(client, quirks)
    await client.send('TYPE I')
    return client
  } catch (error) {
    client.close()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function protect (client: Client, quirks: ServerQuirks): Promise<void> {
  if (quirks.isPlain) {
    const { code } = await client.sendIgnoringError('PROT C')
    if (code === 200) return
    quirks.plainRefused()
  }
  await client.sendIgnoringError('PROT P')
}

/** Only the port of the reply is used: the address in it may not be reachable. */
async function passivePort (ftp: FTPContext): Promise<{ response: FTPResponse, port: number }> {
  try {
    const response = await ftp.request('EPSV')
    const port = Number(/\(.\D*(\d{1,5})\D?\)/.exec(response.message)?.[1])
    if (port > 0 && port < 65_536) return { response, port }
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
  }
  const response = await ftp.request('PASV')
  const [, high, low] = /(\d{1,3}),(\d{1,3})\D*$/.exec(response.message) ?? []
  const port = (Number(high) & 255) * 256 + (Number(low) & 255)
  if (!(port > 0)) throw new Error(`PASV was answered with '${response.message}'`)
  return { response, port }
}

/** Opens a data connection that resumes the TLS session of the control connection, as printers require (522). */
export async function openData (ftp: FTPContext, quirks: ServerQuirks): Promise<{
  response: FTPResponse,
  socket: Socket
}> {
  const control = ftp.socket as TLSSocket
  const { response, port } = await passivePort(ftp)
  const host = control.remoteAddress
  if (host === undefined) throw new Error('the control connection is closed')
  const raw = await connected(new Socket(), host, port, ftp.timeout)
  quirks.dataOpened()
  if (quirks.isPlain) return { response, socket: raw }
  const socket = connect({ ...ftp.tlsOptions, socket: raw, session: ftp.tlsSessionStore ?? control.getSession() })
  socket.on('session', session => { ftp.tlsSessionStore = session })
  socket.once('secureConnect', () => checkPeer(socket, control))
  return { response, socket }
}

async function connected (socket: Socket, host: string, port: number, timeoutMs: number): Promise<Socket> {
  socket.connect({ host, port })
  try {
    await once(socket, 'connect', { signal: timeoutSignal(timeoutMs) })
    return socket
  } catch (error) {
    socket.on('error', () => {}).destroy()
    throw error
  }
}

/** Without session resumption the certificate must be that of the control connection. */
function checkPeer (socket: TLSSocket, control: TLSSocket): void {
  if (socket.isSessionReused()) return
  if (peerOf(socket).fingerprint === peerOf(control).fingerprint) return
  socket.destroy(new Error('the data connection has another certificate'))
}

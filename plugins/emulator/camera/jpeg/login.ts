import type { TLSSocket } from 'node:tls'
import { LOGIN_BYTES, readLogin, type Login } from './wire.js'

const LOGIN_MS = 10_000

/**
 * Waits for the login packet of a new connection, in however many pieces it comes.
 * Calls `done` once: undefined when something else came or too little in time.
 */
export function awaitLogin (socket: TLSSocket, done: (login: Login | undefined) => void): void {
  let got = Buffer.alloc(0)
  const end = (login: Login | undefined): void => {
    clearTimeout(timer)
    socket.off('data', take).off('close', giveUp)
    done(login)
  }
  const giveUp = (): void => end(undefined)
  const take = (chunk: Buffer): void => {
    got = Buffer.concat([got, chunk])
    if (got.length >= LOGIN_BYTES) end(readLogin(got))
  }
  const timer = setTimeout(giveUp, LOGIN_MS).unref()
  socket.on('data', take).once('close', giveUp)
}

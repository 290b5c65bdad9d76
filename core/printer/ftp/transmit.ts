import type { Client } from 'basic-ftp'
import { pipeline, type Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { openData } from './connect.js'
import type { ServerQuirks } from './server-quirks.js'
import type { SdCardTimeouts } from './types.js'

/**
 * Sends a file. A full server resets the data connection and replies afterwards. This waits for the reply; the
 * library's own upload does not.
 * @throws FTPError, or the connection's error
 */
export async function transmit (client: Client, quirks: ServerQuirks, { silenceMs, earlyEndMs }: SdCardTimeouts,
  source: Readable, path: string): Promise<void> {
  const { ftp } = client
  const { socket } = await openData(ftp, quirks)
  let isBegun = false
  let isSent = false
  let isConfirmed = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const broke = (error: Error): void => {
    if (isOver || timer) return
    error.message += ' (data socket)'
    timer = setTimeout(() => ftp.closeWithError(error), earlyEndMs)
  }
  const closed = () => broke(new Error('the connection was closed'))
  socket.on('error', broke).on('close', closed)

  const begin = (done: () => void): void => {
    socket.off('close', closed)
    ftp.socket.setTimeout(0)
    socket.setTimeout(silenceMs, () => ftp.closeWithError(new Error('Timeout (data socket)')))
    pipeline(source, socket, error => {
      if (isOver) return
      socket.setTimeout(0)
      // A slow printer takes long to write the last buffered bytes before it confirms.
      ftp.socket.setTimeout(2 * silenceMs)
      if (error) return broke(error)
      isSent = true
      done()
    })
  }

  try {
    await ftp.handle(`STOR ${path}`, (reply, task) => {
      const done = () => { if (isSent && isConfirmed) task.resolve(undefined) }
      if (reply instanceof Error) return task.reject(reply)
      if (reply.code >= 200) { isConfirmed = true; return done() }
      if (isBegun || (reply.code !== 150 && reply.code !== 125)) return
      isBegun = true
      if (socket instanceof TLSSocket && socket.getCipher() === undefined) socket.once('secureConnect', () => begin(done))
      else begin(done)
    })
  } finally {
    isOver = true
    clearTimeout(timer)
    socket.destroy()
  }
}

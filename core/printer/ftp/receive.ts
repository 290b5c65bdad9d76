import { FTPError, type Client } from 'basic-ftp'

/** Longest listing, bytes. */
export const LISTING_LIMIT = 16 * 1024 * 1024

export interface Received {
  readonly bytes: Buffer
  /** The server ended the transfer before the limit was reached. */
  readonly isAll: boolean
}

export interface ReceiveOptions {
  /** The transfer is aborted after so many bytes. */
  readonly limit: number
  /** Timeout for the server's reply to that, ms. Without a reply the client is closed. */
  readonly earlyEndMs: number
  readonly silenceMs: number
}

/**
 * Sends a command that transfers data, and reads up to `limit` bytes of it. After an abort the client stays usable if
 * the server replies (426 or 226); else it is closed.
 */
export async function receive (client: Client, command: string, options: ReceiveOptions, startAt = 0):
Promise<Received> {
  const { ftp } = client
  await client.prepareTransfer(ftp)
  if (startAt > 0) await client.send(`REST ${startAt}`)
  const chunks: Buffer[] = []
  let count = 0
  let isData = true
  let isEarly = false
  let isConfirmed = false
  let timer: NodeJS.Timeout | undefined
  const result = () => ({ bytes: Buffer.concat(chunks).subarray(0, options.limit), isAll: !isEarly })

  return await ftp.handle(command, (reply, task) => {
    const finish = (): void => {
      if (isData || !isConfirmed) return
      clearTimeout(timer)
      task.resolve(result())
    }
    const fail = (error: Error): void => {
      clearTimeout(timer)
      ftp.dataSocket = undefined
      task.reject(error)
    }
    const endData = (early: boolean): void => {
      if (!isData) return
      isData = false
      isEarly = early
      ftp.dataSocket = undefined
      ftp.socket.setTimeout(options.silenceMs)
      if (early) timer = setTimeout(() => { task.resolve(result()); client.close() }, options.earlyEndMs)
      finish()
    }
    const begin = (): void => {
      const socket = ftp.dataSocket
      if (socket === undefined) return fail(new Error('there is no data connection'))
      ftp.socket.setTimeout(0)
      socket.setTimeout(options.silenceMs)
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        count += chunk.length
        if (count >= options.limit) endData(true)
      })
      socket.once('end', () => endData(false))
    }
    if (reply instanceof FTPError && isEarly) { isConfirmed = true; return finish() }
    if (reply instanceof Error) return fail(reply)
    if (reply.code === 150 || reply.code === 125) return begin()
    if (reply.code >= 200) { isConfirmed = true; finish() }
  }) as unknown as Received
}

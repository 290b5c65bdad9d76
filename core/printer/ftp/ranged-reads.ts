import type { FtpConnection } from './ftp-connection.js'
import { receive, type ReceiveOptions } from './receive.js'
import { SdCardError } from './sd-card-error.js'

/** Reads parts of files, on servers that can start a transfer at an offset. */
export class RangedReads {
  readonly #connection: FtpConnection
  readonly #receiving: () => Omit<ReceiveOptions, 'limit'>
  /** Undefined until the server was asked. */
  #isAllowed: boolean | undefined

  constructor (connection: FtpConnection, receiving: () => Omit<ReceiveOptions, 'limit'>) {
    this.#connection = connection
    this.#receiving = receiving
  }

  async allowed (signal?: AbortSignal): Promise<boolean> {
    this.#isAllowed ??= await this.#connection.use({
      what: 'Asking what the card allows',
      signal,
      async run (client) {
        const { code } = await client.sendIgnoringError('REST 100')
        await client.sendIgnoringError('REST 0')
        return code === 350
      }
    })
    return this.#isAllowed
  }

  async read (path: string, start: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    if (length <= 0) return Buffer.alloc(0)
    if (!await this.allowed(signal)) throw new SdCardError('unsupported', 'This printer can only send whole files')
    return await this.#connection.use({
      what: `Reading ${path}`,
      signal,
      run: async client => {
        const size = await client.size(path)
        const wanted = Math.min(length, size - start)
        if (wanted <= 0) return Buffer.alloc(0)
        // At the end of the file, one more byte shows whether the server started at the requested offset.
        const isTail = start + wanted === size
        const limits = { ...this.#receiving(), limit: wanted + (isTail ? 1 : 0) }
        const { bytes } = await receive(client, `RETR ${path}`, limits, start)
        if (bytes.length === wanted) return bytes
        if (bytes.length < wanted) throw new Error(`${bytes.length} of ${wanted} bytes came`)
        this.#isAllowed = false
        throw new SdCardError('unsupported', 'This printer sends only whole files')
      }
    })
  }
}

import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'

const PATIENCE_MS = 8000

export async function start (t: Test, options: VirtualPrinterOptions): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter(options)
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

/** One connection to a camera port that keeps every byte it gets. */
export interface Wire {
  readonly socket: TLSSocket
  readonly bytes: Buffer
  readonly closed: boolean
  /** Waits until so many bytes have come and takes them. */
  take (count: number): Promise<Buffer>
  /** Waits for the end and gives what came before it. */
  end (): Promise<Buffer>
}

export async function open (t: Test, port: number | undefined): Promise<Wire> {
  const socket = connect({ host: '127.0.0.1', port: port ?? 0, rejectUnauthorized: false })
  t.teardown(() => socket.destroy())
  let chunks: Buffer[] = []
  let held = 0
  let closed = false
  const waiting = new Set<() => void>()
  const wake = (): void => { for (const look of waiting) look() }
  socket.on('data', (chunk: Buffer) => { chunks.push(chunk); held += chunk.length; wake() })
  socket.on('error', () => {}).on('close', () => { closed = true; wake() })
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close').then(() => { throw new Error('turned away') })])

  const until = (test: () => boolean, what: string): Promise<void> => new Promise((resolve, reject) => {
    const timer = setTimeout(() => { waiting.delete(look); reject(new Error(`${what} did not come`)) }, PATIENCE_MS)
    const look = (): void => {
      if (!test() && !closed) return
      waiting.delete(look)
      clearTimeout(timer)
      if (test()) resolve()
      else reject(new Error(`closed before ${what}`))
    }
    waiting.add(look)
    look()
  })

  const all = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
    return chunks[0] ?? Buffer.alloc(0)
  }

  return {
    socket,
    get bytes () { return all() },
    get closed () { return closed },
    async take (count) {
      await until(() => held >= count, `${count} bytes`)
      const bytes = all()
      chunks = [bytes.subarray(count)]
      held -= count
      return bytes.subarray(0, count)
    },
    async end () {
      await until(() => closed, 'the end')
      return all()
    }
  }
}

export interface LoginFields {
  readonly size?: number
  readonly type?: number
  readonly user?: string
  readonly code?: string
}

/** The packet that opens a picture stream. */
export function loginPacket ({ size = 64, type = 0x3000, user = 'bblp', code = '12345678' }: LoginFields = {}): Buffer {
  const packet = Buffer.alloc(80)
  packet.writeUInt32LE(size, 0)
  packet.writeUInt32LE(type, 4)
  packet.write(user, 16, 'ascii')
  packet.write(code, 48, 'ascii')
  return packet
}

/** Takes one picture: its header is checked and left out. */
export async function takeFrame (wire: Wire): Promise<{ header: Buffer, jpeg: Buffer }> {
  const header = await wire.take(16)
  return { header, jpeg: await wire.take(header.readUInt32LE(0)) }
}

/** Logs in as the printer's owner. */
export async function watch (t: Test, { ports, accessCode }: VirtualPrinter): Promise<Wire> {
  const wire = await open(t, ports.camera)
  wire.socket.write(loginPacket({ code: accessCode }))
  return wire
}

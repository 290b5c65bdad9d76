import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

/** Somebody who looks at a stream over a bare connection. */
export interface BareViewer {
  readonly socket: Socket
  /** Pictures that have come whole, and all bytes. */
  readonly pictures: readonly Buffer[]
  readonly bytes: number
  readonly head: string
  readonly closed: boolean
}

/** @param reads false for one who never takes anything */
export function look (t: Pick<Test, 'teardown'>, url: string, path = 'stream', reads = true): BareViewer {
  const { port } = new URL(url)
  const pictures: Buffer[] = []
  let bytes = 0
  let closed = false
  let rest: Buffer = Buffer.alloc(0)
  let head = ''
  const socket = connect(Number(port), '127.0.0.1', () => { socket.write(`GET /${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`) })
  socket.on('error', () => {}).once('close', () => { closed = true })
  t.teardown(() => { socket.destroy() })
  const takeOne = (): boolean => {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return false
    const text = rest.toString('latin1', 0, end)
    if (head === '') {
      head = text
      rest = rest.subarray(end + 4)
      return true
    }
    const length = Number(/Content-Length: (\d+)/.exec(text)?.[1])
    const until = end + 4 + length
    if (!(rest.length >= until + 2)) return false
    pictures.push(rest.subarray(end + 4, until))
    rest = rest.subarray(until + 2)
    return true
  }
  if (reads) {
    socket.on('data', piece => {
      bytes += piece.length
      rest = Buffer.concat([rest, piece])
      while (takeOne()) { /* until nothing whole is left */ }
    })
  } else {
    socket.pause()
  }
  return {
    socket,
    pictures,
    get bytes () { return bytes },
    get head () { return head },
    get closed () { return closed }
  }
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between the service and a camera that can be cut, held and unplugged. */
export interface Wire {
  readonly port: number
  /** Ends every connection. */
  cut (): void
  /** From now on nothing passes, or everything again. */
  hold (held: boolean): void
  /** From now on connections are refused right away, or let through again. */
  unplug (unplugged: boolean): void
  close (): void
}

export async function layWire (to: number): Promise<Wire> {
  const ends = new Set<Socket>()
  let held = false
  let unplugged = false
  const join = (from: Socket, into: Socket) => {
    ends.add(from)
    from.on('data', piece => { if (!into.destroyed && !into.write(piece)) from.pause() })
    into.on('drain', () => { if (!held) from.resume() })
    from.on('error', () => {}).once('close', () => { ends.delete(from); into.destroy() })
    if (held) from.pause()
  }
  const server = createServer(near => {
    if (unplugged) return near.destroy()
    const far = connect(to, '127.0.0.1')
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => { for (const end of ends) end.destroy() }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    hold (on) {
      held = on
      for (const end of ends) if (on) end.pause(); else end.resume()
    },
    unplug (on) {
      unplugged = on
      if (on) cut()
    },
    close () { server.close(); cut() }
  }
}

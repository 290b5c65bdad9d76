import type { Client } from 'aedes'

// The broker has no hooks for these two: both reach its parser.

interface Parser extends NodeJS.EventEmitter {
  /** The packet that is being read. */
  readonly packet: { readonly length?: number }
  parse (bytes: Buffer): number
}

const parserOf = (client: Client): Parser => (client as unknown as { _parser: Parser })._parser

/**
 * Printers grant QoS 1 at most. The broker notes what it grants before its own hook could lower it,
 * hence the step in front of its parser.
 */
export function capQos (client: Client, highest: number): void {
  parserOf(client).prependListener('packet', (packet: { cmd: string, subscriptions?: { qos: number }[] }) => {
    if (packet.cmd !== 'subscribe') return
    for (const wish of packet.subscriptions ?? []) wish.qos = Math.min(wish.qos, highest)
  })
}

/** A packet may announce 256 MB, which would be waited for: the connection ends when a longer one begins. */
export function limitPackets (client: Client, mostBytes: number): void {
  const parser = parserOf(client)
  const parse = parser.parse.bind(parser)
  parser.parse = bytes => {
    const left = parse(bytes)
    const { length = 0 } = parser.packet
    if (length > mostBytes) client.conn.destroy()
    return left
  }
}

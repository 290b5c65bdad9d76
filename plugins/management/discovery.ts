import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { DiscoveryFailed } from './errors.js'
import { readAnnouncement, SEARCH, type Discovered } from './announcement.js'

/** Port of announcements. */
const PORT = 2021
/** Port of old firmware. */
const OLD_PORT = 1990
const GROUP = '239.255.255.250'
const BROADCAST = '255.255.255.255'
const SEARCH_EVERY_MS = 3_000
/** Bounds the memory against forged announcements. */
const MOST_PRINTERS = 512
/** One liar must not fill the list. */
const MOST_OF_SENDER = 256
const MOST_ADDRESSES = 4

export interface DiscoveryOptions {
  readonly signal: AbortSignal
  readonly onFound?: (printer: Discovered, count: number) => void
  /** @default 2021 and 1990 */
  readonly ports?: { readonly main: number, readonly old: number }
}

const bind = (socket: Socket, port: number) => new Promise<void>((resolve, reject) => {
  socket.once('error', reject)
  socket.bind(port, () => { socket.off('error', reject); resolve() })
})

function join (socket: Socket): void {
  try {
    socket.setBroadcast(true)
    socket.addMembership(GROUP)
  } catch {
    // without multicast, broadcasts still arrive
  }
}

const why = (error: NodeJS.ErrnoException, port: number) => error.code === 'EADDRINUSE'
  ? `UDP port ${port} is in use by another program that does not share it, often a slicer; close it and try again`
  : error.message

/** What was announced, with every address at which somebody claims to be a printer: one of them may be an impostor. */
function createFound (onFound: DiscoveryOptions['onFound']) {
  /** By serial number and address. */
  const found = new Map<string, Map<string, Discovered>>()
  const bySender = new Map<string, number>()

  function here (printer: Discovered, sender: string): void {
    const known = found.get(printer.serial)
    if (known !== undefined) {
      if (known.has(printer.ip) || known.size < MOST_ADDRESSES) known.set(printer.ip, printer)
      return
    }
    const sent = bySender.get(sender) ?? 0
    if (found.size >= MOST_PRINTERS || sent >= MOST_OF_SENDER) return
    bySender.set(sender, sent + 1)
    found.set(printer.serial, new Map([[printer.ip, printer]]))
    onFound?.(printer, found.size)
  }

  function gone (serial: string, ip: string): void {
    const known = found.get(serial)
    known?.delete(ip)
    if (known?.size === 0) found.delete(serial)
  }

  const list = (): Discovered[] => [...found.values()].flatMap(known => {
    const [first, ...others] = [...known.values()]
    if (first === undefined) return []
    return others.length === 0 ? first : { ...first, other_ips: others.map(({ ip }) => ip) }
  })
  return { here, gone, list }
}

/**
 * Listens for announcements for the given time, with repeated searches.
 * @throws PRN_ERR_DISCOVERY_FAILED if the port cannot be opened
 */
export async function discover (forMs: number, options: DiscoveryOptions): Promise<readonly Discovered[]> {
  const { signal, onFound, ports = { main: PORT, old: OLD_PORT } } = options
  const found = createFound(onFound)
  const main = createSocket({ type: 'udp4', reuseAddr: true })
  const old = createSocket({ type: 'udp4', reuseAddr: true })

  function take (datagram: Buffer, { address }: { address: string }): void {
    const announcement = readAnnouncement(datagram, address)
    if (announcement?.kind === 'gone') found.gone(announcement.serial, announcement.ip)
    if (announcement?.kind === 'here') found.here(announcement.printer, address)
  }

  function search (): void {
    for (const [address, port] of [[GROUP, ports.main], [BROADCAST, ports.main], [GROUP, ports.old]] as const) {
      main.send(SEARCH, port, address, () => {}) // an unreachable group is not an error
    }
  }

  try {
    await bind(main, ports.main).catch(error => { throw new DiscoveryFailed(why(error, ports.main)) })
    main.on('message', take).on('error', () => {})
    join(main)
    await bind(old, ports.old).then(() => { old.on('message', take).on('error', () => {}); join(old) }, () => {})
    search()
    const asking = setInterval(search, SEARCH_EVERY_MS)
    await sleep(forMs, undefined, { signal }).catch(() => {})
    clearInterval(asking)
    return found.list()
  } finally {
    for (const socket of [main, old]) try { socket.close() } catch { /* was never opened */ }
  }
}

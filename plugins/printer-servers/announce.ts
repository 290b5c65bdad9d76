import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { networkInterfaces } from 'node:os'

/** Announcement of a virtual or relayed printer on the network. */
export interface AnnounceOptions {
  /**
   * The only address for announcements. @default wherever clients listen: broadcast, the multicast group and this
   * machine; a printer on loopback is announced only to this machine
   */
  readonly to?: string
  /** The only port for announcements. @default 2021, and 1990 for programs written for older firmware */
  readonly port?: number
  /** Port to listen on for searches; 0 for none. @default the same ports, or none when announcing to one address */
  readonly searchPort?: number
  /** Real time between announcements, ms. @default 5000 */
  readonly everyMs?: number
}

/** The announced data of a printer. */
export interface Announced {
  readonly serial: string
  /** Address at which it can be reached. */
  readonly address: string
  /** Model code. */
  readonly code: string
  readonly firmware: string
  /** Follows a rename. */
  readonly name: () => string
}

export interface Announcer {
  start (): void
  /** Says goodbye. */
  stop (): Promise<void>
}

/** Ports of current and of older firmware. */
const PORTS = [2021, 1990] as const
const GROUP = '239.255.255.250'
const EVERYONE = '255.255.255.255'
const EVERYONE_HERE = '127.255.255.255'
const LOOPBACK = '127.0.0.1'
/** Multicast TTL that keeps datagrams on this machine. */
const NO_HOPS = 0
const EVERY_MS = 5_000
const DEVICE = 'urn:bambulab-com:device:3dprinter:1'
const SIGNAL_DBM = -44
const VALID_S = 1800

const headersOf = ({ serial, address, code, firmware, name }: Announced): string[] => [
  'Server: UPnP/1.0',
  `Location: ${address}`,
  `USN: ${serial}`,
  `Cache-Control: max-age=${VALID_S}`,
  `DevModel.bambu.com: ${code}`,
  `DevName.bambu.com: ${name()}`,
  `DevSignal.bambu.com: ${SIGNAL_DBM}`,
  'DevConnect.bambu.com: lan',
  'DevBind.bambu.com: free',
  'Devseclink.bambu.com: secure',
  'DevInf.bambu.com: wlan0',
  `DevVersion.bambu.com: ${firmware}`,
  'DevCap.bambu.com: 1'
]

const datagram = (first: string, headers: readonly string[]) => Buffer.from([first, ...headers, '', ''].join('\r\n'))

/** An unsolicited notification that the printer is available or leaving. */
export const notice = (printer: Announced, nts: 'ssdp:alive' | 'ssdp:byebye'): Buffer => {
  const [server = '', location = '', ...rest] = headersOf(printer)
  // this header always has the port of older firmware
  return datagram('NOTIFY * HTTP/1.1', [`Host: ${GROUP}:1990`, server, location, `NT: ${DEVICE}`, `NTS: ${nts}`, ...rest])
}

/** The answer to a search. */
export const answer = (printer: Announced): Buffer => {
  const [server = '', location = '', ...rest] = headersOf(printer)
  return datagram('HTTP/1.1 200 OK', [server, location, `ST: ${DEVICE}`, ...rest])
}

/** Whether a datagram is a search for printers or for everything. */
export function isSearch (text: string): boolean {
  if (!/^M-SEARCH \* HTTP\/1\.1\r?\n/i.test(text)) return false
  const wanted = /^ST:[ \t]*(\S+)/im.exec(text)?.[1] ?? ''
  return wanted === 'ssdp:all' || wanted.toLowerCase() === DEVICE
}

const isLoopback = (address: string) => address.startsWith('127.')

const isOwn = (address: string) => isLoopback(address) ||
  Object.values(networkInterfaces()).flat().some(own => own?.address === address)

/** Announces a printer. Errors in sending are ignored, such as on a machine without a network. */
export function createAnnouncer (printer: Announced, options: AnnounceOptions = {}): Announcer {
  const hidden = isLoopback(printer.address)
  const { to, port, everyMs = EVERY_MS } = options
  const hosts = to === undefined ? [hidden ? EVERYONE_HERE : EVERYONE, GROUP, LOOPBACK] : [to]
  const ports = port === undefined ? PORTS : [port]
  const { searchPort = to === undefined ? undefined : 0 } = options
  const searchPorts = searchPort === undefined ? ports : [searchPort]
  let sockets: Socket[] = []
  let timer: NodeJS.Timeout | undefined

  /** Sends to every host and port, from the first socket. */
  async function send (payload: Buffer, [socket] = sockets): Promise<void> {
    if (socket === undefined) return
    const one = (host: string, at: number) =>
      new Promise<void>(resolve => { socket.send(payload, at, host, () => resolve()) })
    await Promise.all(hosts.flatMap(host => ports.map(at => one(host, at))))
  }
  const alive = (): void => { void send(notice(printer, 'ssdp:alive')) }

  const hearOn = (socket: Socket) => (payload: Buffer, { address, port: from }: RemoteInfo): void => {
    // a printer reachable only from this machine is useless to others
    if (!isSearch(payload.toString('utf8')) || (hidden && !isOwn(address))) return
    socket.send(answer(printer), from, address, () => {})
  }

  function open (searched: number, ready: () => void): Socket {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.unref()
    socket.on('message', hearOn(socket))
    socket.on('error', () => {}) // if the port is in use, the printer is not announced
    socket.bind(searched, () => {
      if (!sockets.includes(socket)) return
      try {
        socket.setBroadcast(true)
        if (hidden) socket.setMulticastTTL(NO_HOPS)
        if (searched !== 0) socket.addMembership(GROUP)
      } catch {
        // without multicast, broadcast searches still arrive
      }
      ready()
    })
    return socket
  }

  function begin (): void {
    alive()
    timer = setInterval(alive, everyMs).unref()
  }

  return {
    start () {
      if (sockets.length > 0) return
      sockets = searchPorts.map((searched, at) => open(searched, at === 0 ? begin : () => {}))
    },
    async stop () {
      clearInterval(timer)
      const open = sockets
      sockets = [] // a port that is being opened begins nothing
      try {
        await send(notice(printer, 'ssdp:byebye'), open)
      } catch {} // was never opened
      for (const socket of open) try { socket.close() } catch { /* never opened */ }
    }
  }
}

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { networkInterfaces } from 'node:os'

/** How a virtual printer makes itself known on the network. */
export interface AnnounceOptions {
  /**
   * The one address that announcements go to. @default wherever clients listen: broadcast, the multicast group and
   * this machine; a printer on loopback is announced to this machine alone
   */
  readonly to?: string
  /** The one port that they go to. @default 2021, and 1990 for programs written for older firmware */
  readonly port?: number
  /** Where searches are heard; 0 nowhere. @default the same ports, nowhere when announcing to one address */
  readonly searchPort?: number
  /** Real ms between two announcements. @default 5000 */
  readonly everyMs?: number
}

/** What is told of a printer. */
export interface Announced {
  readonly serial: string
  /** The address that it can be reached at. */
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

/** Printers announce themselves at the first, older firmware at the second. */
const PORTS = [2021, 1990] as const
const GROUP = '239.255.255.250'
const EVERYONE = '255.255.255.255'
const EVERYONE_HERE = '127.255.255.255'
const LOOPBACK = '127.0.0.1'
/** A multicast datagram with this many hops left stays on the machine. */
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

/** What is sent unasked: that the printer is there, or that it goes. */
export const notice = (printer: Announced, nts: 'ssdp:alive' | 'ssdp:byebye'): Buffer => {
  const [server = '', location = '', ...rest] = headersOf(printer)
  // the port in this header is that of older firmware, wherever the datagram goes
  return datagram('NOTIFY * HTTP/1.1', [`Host: ${GROUP}:1990`, server, location, `NT: ${DEVICE}`, `NTS: ${nts}`, ...rest])
}

/** What a search is answered with. */
export const answer = (printer: Announced): Buffer => {
  const [server = '', location = '', ...rest] = headersOf(printer)
  return datagram('HTTP/1.1 200 OK', [server, location, `ST: ${DEVICE}`, ...rest])
}

/** True for a search that asks for printers, or for everything. */
export function isSearch (text: string): boolean {
  if (!/^M-SEARCH \* HTTP\/1\.1\r?\n/i.test(text)) return false
  const wanted = /^ST:[ \t]*(\S+)/im.exec(text)?.[1] ?? ''
  return wanted === 'ssdp:all' || wanted.toLowerCase() === DEVICE
}

const isLoopback = (address: string) => address.startsWith('127.')

const isOwn = (address: string) => isLoopback(address) ||
  Object.values(networkInterfaces()).flat().some(own => own?.address === address)

/** Makes a printer known. What cannot be sent is not: a machine without a network has nobody to tell. */
export function createAnnouncer (printer: Announced, options: AnnounceOptions = {}): Announcer {
  const hidden = isLoopback(printer.address)
  const { to, port, everyMs = EVERY_MS } = options
  const hosts = to === undefined ? [hidden ? EVERYONE_HERE : EVERYONE, GROUP, LOOPBACK] : [to]
  const ports = port === undefined ? PORTS : [port]
  const { searchPort = to === undefined ? undefined : 0 } = options
  const searchPorts = searchPort === undefined ? ports : [searchPort]
  let sockets: Socket[] = []
  let timer: NodeJS.Timeout | undefined

  /** To every host and port, by the first socket. */
  async function send (payload: Buffer): Promise<void> {
    const [socket] = sockets
    if (socket === undefined) return
    const one = (host: string, at: number) =>
      new Promise<void>(resolve => { socket.send(payload, at, host, () => resolve()) })
    await Promise.all(hosts.flatMap(host => ports.map(at => one(host, at))))
  }
  const alive = (): void => { void send(notice(printer, 'ssdp:alive')) }

  const hearOn = (socket: Socket) => (payload: Buffer, { address, port: from }: RemoteInfo): void => {
    // a printer that only this machine reaches is no use to others
    if (!isSearch(payload.toString('utf8')) || (hidden && !isOwn(address))) return
    socket.send(answer(printer), from, address, () => {})
  }

  function open (searched: number, ready: () => void): Socket {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.unref()
    socket.on('message', hearOn(socket))
    socket.on('error', () => {}) // the port may be taken: then the printer is merely not announced
    socket.bind(searched, () => {
      if (!sockets.includes(socket)) return
      try {
        socket.setBroadcast(true)
        if (hidden) socket.setMulticastTTL(NO_HOPS)
        if (searched !== 0) socket.addMembership(GROUP)
      } catch {
        // no multicast here: searches by broadcast are still heard
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
      try {
        await send(notice(printer, 'ssdp:byebye'))
      } catch {} // it was never opened
      for (const socket of sockets) try { socket.close() } catch { /* never opened */ }
      sockets = []
    }
  }
}

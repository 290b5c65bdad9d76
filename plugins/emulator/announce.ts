import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { networkInterfaces } from 'node:os'

/** How a virtual printer makes itself known on the network. */
export interface AnnounceOptions {
  /** Where announcements go. @default everyone; everyone on this machine for a printer on loopback */
  readonly to?: string
  /** @default 2021 */
  readonly port?: number
  /** Where searches are heard; 0 nowhere. @default the same port, nowhere when announcing to one address */
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

/** Printers announce themselves here. */
const PORT = 2021
const GROUP = '239.255.255.250'
const EVERYONE = '255.255.255.255'
const EVERYONE_HERE = '127.255.255.255'
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
  const { to = hidden ? EVERYONE_HERE : EVERYONE, port = PORT, everyMs = EVERY_MS } = options
  const { searchPort = options.to === undefined ? port : 0 } = options
  let socket: Socket | undefined
  let timer: NodeJS.Timeout | undefined

  const send = (payload: Buffer, done: () => void = () => {}): void => { socket?.send(payload, port, to, done) }
  const alive = (): void => send(notice(printer, 'ssdp:alive'))

  function hear (payload: Buffer, { address, port: from }: RemoteInfo): void {
    // a printer that only this machine reaches is no use to others
    if (!isSearch(payload.toString('utf8')) || (hidden && !isOwn(address))) return
    socket?.send(answer(printer), from, address, () => {})
  }

  function opened (own: Socket): void {
    own.setBroadcast(true)
    try {
      if (searchPort !== 0) own.addMembership(GROUP)
    } catch {
      // no multicast here: searches by broadcast are still heard
    }
    alive()
    timer = setInterval(alive, everyMs).unref()
  }

  return {
    start () {
      if (socket !== undefined) return
      const own = createSocket({ type: 'udp4', reuseAddr: true })
      socket = own
      own.unref()
      own.on('message', hear)
      own.on('error', () => {}) // the port may be taken: then the printer is merely not announced
      own.bind(searchPort, () => { if (socket === own) opened(own) })
    },
    async stop () {
      clearInterval(timer)
      const own = socket
      if (own === undefined) return
      await new Promise<void>(resolve => {
        try {
          send(notice(printer, 'ssdp:byebye'), () => resolve())
        } catch {
          resolve() // it was never opened
        }
      })
      socket = undefined
      try { own.close() } catch { /* never opened */ }
    }
  }
}

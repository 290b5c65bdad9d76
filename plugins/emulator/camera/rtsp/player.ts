import { randomInt } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { CameraFaultInjector, Spoil } from '../camera-fault-injector.js'
import type { ParameterSets, Picture } from '../video/types.js'
import { CLOCK_HZ, createRtpStream, interleave, type RtpStream } from './rtp.js'

/** Sends the pictures of one session. */
export interface Player {
  readonly rtp: RtpStream
  /** RTP time of this moment. */
  time (): number
  /** From the next picture on that can be decoded alone. */
  play (sets: ParameterSets): void
  /** Begins with pictures from before; too late once one was sent. */
  catchUp (pictures: readonly Picture[]): void
  picture (picture: Picture): void
  stop (): void
}

export interface PlayerOptions {
  readonly socket: TLSSocket
  readonly channels: readonly [data: number, control: number]
  readonly faultInjector: CameraFaultInjector
}

const REPORT_MS = 5000
/** Between pictures that are sent at once, as no two of a stream have the same time. */
const STEP_TICKS = CLOCK_HZ / 1000
/** With more than this unsent a viewer gets nothing until the next picture that can be decoded alone. */
const SLOW_BYTES = 1_500_000
const LIE_BYTES = 1000
const ZEROS_BYTES = 65_536
const LARGEST_INTERLEAVED_BYTES = 65_535

type Packets = readonly Buffer[]

const RTP_HEADER_BYTES = 12

const nonsense = (packet: Buffer): Buffer =>
  Buffer.concat([packet.subarray(0, RTP_HEADER_BYTES), Buffer.alloc(packet.length - RTP_HEADER_BYTES, 'no picture ')])

const padded = (packet: Buffer): Buffer =>
  Buffer.concat([packet, Buffer.alloc(LARGEST_INTERLEAVED_BYTES - packet.length)])

/** How the packets of a picture go out; the ways that have no meaning for packets take the nearest. */
const SPOILERS: Readonly<Record<Spoil, (channel: number, packets: Packets) => Buffer[]>> = {
  header: (_, packets) => packets.map(packet => Buffer.concat([Buffer.alloc(4, 0xA5), packet])),
  'short-length': (channel, packets) =>
    packets.map(packet => interleave(channel, packet, Math.max(1, packet.length - LIE_BYTES))),
  'long-length': (channel, packets) => packets.map(packet => interleave(channel, packet, packet.length + LIE_BYTES)),
  'not-jpeg': (channel, packets) => packets.map(packet => interleave(channel, nonsense(packet))),
  truncated: (channel, packets) =>
    packets.slice(0, Math.ceil(packets.length * 2 / 3)).map(packet => interleave(channel, packet)),
  oversized: (channel, packets) => packets.map(packet => interleave(channel, padded(packet))),
  zeros: () => [Buffer.alloc(ZEROS_BYTES)]
}

export function createPlayer ({ socket, channels: [data, control], faultInjector }: PlayerOptions): Player {
  const rtp = createRtpStream(randomInt(2 ** 32), randomInt(2 ** 16))
  const began = randomInt(2 ** 32)
  let sets: ParameterSets | undefined
  let isWaiting = true
  let sent = 0
  let reports: NodeJS.Timeout | undefined
  let frozen: number | undefined

  const time = (): number => {
    const now = (began + Math.floor(performance.now() / 1000 * CLOCK_HZ)) >>> 0
    frozen = faultInjector.frozenClock ? frozen ?? now : undefined
    return frozen ?? now
  }

  const send = ({ units, isKey }: Picture, { sps, pps }: ParameterSets, at = time()): void => {
    const packets = rtp.packets(isKey ? [sps, pps, ...units] : units, at)
    const spoil = faultInjector.takeSpoil()
    const parts = spoil === undefined
      ? packets.map(packet => interleave(data, packet))
      : SPOILERS[spoil](data, packets)
    socket.write(Buffer.concat(parts))
    sent++
    if (sent >= faultInjector.cutAfter) socket.destroySoon()
  }

  return {
    rtp,
    time,
    play (known) {
      sets = known
      reports ??= setInterval(() => {
        if (socket.writable) socket.write(interleave(control, rtp.report(time(), Date.now())))
      }, REPORT_MS).unref()
    },
    catchUp (pictures) {
      if (sets === undefined || !isWaiting || !socket.writable) return
      const now = time()
      for (const [place, picture] of pictures.entries()) send(picture, sets, (now + place * STEP_TICKS) >>> 0)
      isWaiting = pictures.length === 0
    },
    picture (picture) {
      if (sets === undefined || !socket.writable) return
      if (socket.writableLength > SLOW_BYTES) isWaiting = true
      else if (!isWaiting || picture.isKey) { isWaiting = false; send(picture, sets) }
    },
    stop () {
      clearInterval(reports)
      sets = undefined
    }
  }
}

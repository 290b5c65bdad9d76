import { randomInt } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { CLOCK_HZ, type AccessUnit, type VideoSource } from '../camera/index.js'
import { createRtpStream, interleave, type Channels, type RtspPlayer } from '../printer-servers/index.js'

export type VideoPlayer = RtspPlayer

const REPORT_MS = 5_000
/** A viewer with more than this unsent gets nothing until the next key frame. */
const SLOW_BYTES = 2_000_000
/** A viewer that received nothing for this long is disconnected. */
const STUCK_MS = 20_000

/** Sends a camera's video to one viewer, packetized as cameras do. */
export function createVideoPlayer (socket: TLSSocket, [data, control]: Channels, source: VideoSource): VideoPlayer {
  const rtp = createRtpStream(randomInt(2 ** 32), randomInt(2 ** 16), { aggregates: true })
  const began = randomInt(2 ** 32)
  /** RTP time of the last frame, and when it was sent. */
  let last: { readonly time: number, readonly at: number } | undefined
  let waitsForKey = true
  let isPlaying = false
  let takenAt = performance.now()
  /** Unsent bytes at the last check: fewer mean that the viewer received something. */
  let unsent = 0
  let release: (() => void) | undefined
  let reports: NodeJS.Timeout | undefined

  const rtpTime = (time: number): number => (began + Math.round(time)) % 2 ** 32
  const time = (at: number): number =>
    rtpTime(last === undefined ? 0 : last.time + Math.max(0, at - last.at) * CLOCK_HZ / 1000)

  function show (unit: AccessUnit): void {
    if (!socket.writable) return
    const now = performance.now()
    if (socket.writableLength === 0 || socket.writableLength < unsent) takenAt = now
    else if (now - takenAt > STUCK_MS) socket.destroy()
    unsent = socket.writableLength
    if (unsent > SLOW_BYTES) waitsForKey = true
    if (unsent > SLOW_BYTES || (waitsForKey && !unit.key)) return
    waitsForKey = false
    const { key, nalus, format: { sps, pps } } = unit
    const packets = rtp.packets(key ? [sps, ...pps, ...nalus] : nalus, rtpTime(unit.time))
    last = { time: unit.time, at: now }
    socket.write(Buffer.concat(packets.map(packet => interleave(data, packet))))
    unsent = socket.writableLength
  }

  return {
    rtp,
    time,
    play () {
      isPlaying = true
      reports ??= setInterval(() => {
        if (socket.writable) socket.write(interleave(control, rtp.report(time(performance.now()), Date.now())))
      }, REPORT_MS).unref()
    },
    begin () {
      if (isPlaying) release ??= source.attach(show)
    },
    stop () {
      isPlaying = false
      clearInterval(reports)
      release?.()
      release = undefined
    }
  }
}

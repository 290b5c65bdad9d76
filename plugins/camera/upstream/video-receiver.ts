import { randomInt } from 'node:crypto'
import { createAccessUnits, type CodedPicture } from './access-units.js'
import { createDepacketizer } from './depacketizer.js'
import { createParameterSets } from './parameter-sets.js'
import { readSenderReport, receiverReport, type SenderReport } from './rtcp.js'
import { createRtpOrder, readRtp } from './rtp.js'
import type { VideoTrack } from './sdp.js'
import type { VideoUpstreamContext } from './types.js'
import { CLOCK_HZ } from '../video/types.js'

const TICKS_PER_MS = CLOCK_HZ / 1_000
/** No camera takes a thousand pictures a second: smaller steps are a clock that stands still. */
const LEAST_STEP = TICKS_PER_MS
/** A step of the camera's clock may be so much longer than it took to arrive. */
const MOST_AHEAD = 2 * CLOCK_HZ
/** Between both clocks since the beginning: a network that stalls, or pictures from before that come at once. */
const MOST_DRIFT = 10 * CLOCK_HZ

/**
 * When pictures were taken, 1/90,000 s, each more than the one before; the first is 0. The camera's time stamps
 * count while they are plausible: some firmware stamps all pictures alike, others jump, or run at another speed.
 * Then the time of arrival counts.
 * @returns a function of the time stamp (32 bits) and the time of arrival, ms
 */
export function createMediaClock (): (stamp: number, arrivedMs: number) => number {
  let last: { readonly stamp: number, readonly arrivedMs: number, readonly time: number } | undefined
  let firstMs = 0
  let isTrusted = true

  function after (before: NonNullable<typeof last>, stamp: number, arrivedMs: number): number {
    const arrived = Math.max(0, Math.round((arrivedMs - before.arrivedMs) * TICKS_PER_MS))
    const stamped = (stamp - before.stamp) | 0
    const isPlausible = isTrusted && stamped >= LEAST_STEP && stamped <= arrived + MOST_AHEAD
    const time = before.time + (isPlausible ? stamped : Math.max(arrived, LEAST_STEP))
    const drift = time - (arrivedMs - firstMs) * TICKS_PER_MS
    if (Math.abs(drift) <= MOST_DRIFT || !isTrusted) return time
    isTrusted = false
    return drift < 0 ? Math.round(time - drift) : time
  }

  return (stamp, arrivedMs) => {
    if (last === undefined) firstMs = arrivedMs
    const time = last === undefined ? 0 : after(last, stamp, arrivedMs)
    last = { stamp, arrivedMs, time }
    return time
  }
}

/** Makes pictures of the packets of one track. */
export interface VideoReceiver {
  /** Takes a packet of the video, from one place in these bytes to another; they are not kept. */
  packet (bytes: Buffer, from?: number, end?: number): void
  /** Takes a packet of the reports. */
  control (packet: Buffer): void
  /** What we report ourselves; undefined before the first packet. */
  report (): Buffer | undefined
}

export interface VideoReceiverOptions extends Pick<VideoUpstreamContext, 'now' | 'nextSeq' | 'onUnit'> {
  readonly track: VideoTrack
  /** A clock that never jumps, ms. */
  readonly monotonic?: () => number
}

export function createVideoReceiver (options: VideoReceiverOptions): VideoReceiver {
  const { track, now, nextSeq, onUnit, monotonic = () => performance.now() } = options
  const own = randomInt(2 ** 32)
  const order = createRtpOrder(track.payloadType)
  const timeOf = createMediaClock()
  const sets = createParameterSets()
  for (const set of track.parameterSets) sets.take(set)
  const units = createAccessUnits(sets, onPicture)
  const depacketizer = createDepacketizer({ onNal: nal => units.nal(nal, stamp), onDamage: () => units.damage() })
  let stamp = 0
  let heard: SenderReport | undefined

  function onPicture ({ key, nalus, format, stamp }: CodedPicture): void {
    onUnit({ seq: nextSeq(), key, nalus, format, time: timeOf(stamp, monotonic()), at: now() })
  }

  return {
    packet (bytes, from, end) {
      const packet = readRtp(bytes, from, end)
      const place = packet && order.take(packet)
      if (packet === undefined || place === 'foreign') return
      if (place === 'gap') {
        depacketizer.reset()
        units.damage()
      }
      if (packet.from === packet.end) return // keeps the way open
      stamp = packet.timestamp
      depacketizer.take(bytes, packet.from, packet.end)
      units.packetEnd(packet.marker, depacketizer.isInside)
    },
    control (bytes) { heard = readSenderReport(bytes, monotonic()) ?? heard },
    report () {
      const { reception } = order
      return reception && receiverReport(own, reception, heard, monotonic())
    }
  }
}

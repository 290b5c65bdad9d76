import { randomInt } from 'node:crypto'
import { createAccessUnits, type CodedPicture } from './access-units.js'
import { createDepacketizer } from './depacketizer.js'
import { createFloodLimit } from './flood-limit.js'
import { createParameterSets } from './parameter-sets.js'
import { readSenderReport, receiverReport, type SenderReport } from './rtcp-reports.js'
import { createRtpOrder, readRtp } from './rtp.js'
import type { VideoTrack } from './sdp.js'
import type { VideoUpstreamContext } from './types.js'
import { CLOCK_HZ } from '../video/types.js'

const TICKS_PER_MS = CLOCK_HZ / 1_000
/** No camera sends a thousand pictures a second: smaller steps mean a clock that stands still. */
const LEAST_STEP = TICKS_PER_MS
/** How much longer a step of the camera's clock may be than the time it took to arrive. */
const MOST_AHEAD = 2 * CLOCK_HZ
/** Drift between the two clocks since the start: a stalled network, or older pictures that arrive in a burst. */
const MOST_DRIFT = 10 * CLOCK_HZ

/**
 * Presentation times, 1/90,000 s, strictly increasing from 0. The camera's time stamps are used while they are
 * plausible: some firmware repeats, jumps, or runs at another speed. Then the time of arrival is used.
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

/** Assembles pictures from the packets of one track. */
export interface VideoReceiver {
  /** Takes an RTP packet at `from` to `end` of these bytes, which are not retained. @throws CameraError in a flood */
  packet (bytes: Buffer, from?: number, end?: number): void
  /** Takes an RTCP packet. */
  control (packet: Buffer): void
  /** Our receiver report; undefined before the first packet. */
  report (): Buffer | undefined
}

export interface VideoReceiverOptions extends Pick<VideoUpstreamContext, 'now' | 'nextSeq' | 'onUnit'> {
  readonly track: VideoTrack
  /** A monotonic clock, ms. */
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
  const limit = createFloodLimit(monotonic)
  const depacketizer = createDepacketizer({
    onNal (nal) {
      limit.unit()
      units.nal(nal, stamp)
    },
    onDamage: () => units.damage()
  })
  let stamp = 0
  let heard: SenderReport | undefined

  function onPicture ({ key, nalus, format, stamp }: CodedPicture): void {
    limit.picture()
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
      if (packet.from === packet.end) return // an empty packet only keeps the connection alive
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

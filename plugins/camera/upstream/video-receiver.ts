import { randomInt } from 'node:crypto'
import { createAccessUnits, type CodedPicture } from './access-units.js'
import { createDepacketizer } from './depacketizer.js'
import { createMediaClock } from './media-clock.js'
import { createParameterSets } from './parameter-sets.js'
import { readSenderReport, receiverReport, type SenderReport } from './rtcp.js'
import { createRtpOrder, readRtp } from './rtp.js'
import type { VideoTrack } from './sdp.js'
import type { VideoUpstreamContext } from './types.js'

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

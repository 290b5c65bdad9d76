import type { Reception } from './rtp.js'

const VERSION = 0x80
const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const DESCRIPTION = 202
const NAME_ITEM = 1
const MOST_LOST = 0x7FFFFF

/** The last report of a sender, by its clock and by ours. */
export interface SenderReport {
  readonly ssrc: number
  /** The middle 32 bits of its NTP time. */
  readonly time: number
  readonly arrivedMs: number
}

/** @returns undefined for a packet that does not begin with a sender report */
export function readSenderReport (packet: Buffer, arrivedMs: number): SenderReport | undefined {
  if (packet.length < 28 || packet.readUInt8(0) >> 6 !== 2 || packet.readUInt8(1) !== SENDER_REPORT) return undefined
  return { ssrc: packet.readUInt32BE(4), time: packet.readUInt32BE(10), arrivedMs }
}

const NAME = 'prnd'

/**
 * Tells the camera that its packets arrive (RFC 3550, 6.4.2): some firmware stops sending without such reports.
 * @param own our SSRC
 */
export function receiverReport (own: number, { ssrc, highest, lost }: Reception, heard: SenderReport | undefined,
  nowMs: number): Buffer {
  const report = Buffer.alloc(48)
  report.writeUInt8(VERSION | 1, 0)
  report.writeUInt8(RECEIVER_REPORT, 1)
  report.writeUInt16BE(7, 2)
  report.writeUInt32BE(own, 4)
  report.writeUInt32BE(ssrc, 8)
  report.writeUInt32BE(Math.min(lost, MOST_LOST), 12) // the fraction lost is left at 0
  report.writeUInt32BE(highest, 16)
  if (heard?.ssrc === ssrc) {
    report.writeUInt32BE(heard.time, 24)
    report.writeUInt32BE(Math.round((nowMs - heard.arrivedMs) * 65.536) >>> 0, 28)
  }
  report.writeUInt8(VERSION | 1, 32)
  report.writeUInt8(DESCRIPTION, 33)
  report.writeUInt16BE(3, 34)
  report.writeUInt32BE(own, 36)
  report.writeUInt8(NAME_ITEM, 40)
  report.writeUInt8(NAME.length, 41)
  report.write(NAME, 42, 'latin1')
  return report
}

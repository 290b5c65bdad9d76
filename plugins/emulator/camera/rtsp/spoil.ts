import { randomBytes } from 'node:crypto'
import { interleave, RTP_HEADER_BYTES, sequenceOf } from '../../../printer-servers/index.js'
import type { CameraFaultInjector, Spoil } from '../camera-fault-injector.js'

type Packets = readonly Buffer[]

const LIE_BYTES = 1000
const ZEROS_BYTES = 65_536
const LARGEST_INTERLEAVED_BYTES = 65_535

const nonsense = (packet: Buffer): Buffer =>
  Buffer.concat([packet.subarray(0, RTP_HEADER_BYTES), Buffer.alloc(packet.length - RTP_HEADER_BYTES, 'no picture ')])

const padded = (packet: Buffer): Buffer =>
  Buffer.concat([packet, Buffer.alloc(LARGEST_INTERLEAVED_BYTES - packet.length)])

/** How the packets of a picture are spoiled; a way without meaning for packets uses the nearest equivalent. */
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

/** The bytes sent for the packets of one picture, with the active faults applied. */
export function deliver (channel: number, packets: Packets, faultInjector: CameraFaultInjector): Buffer {
  const spoil = faultInjector.takeSpoil()
  if (spoil !== undefined) return Buffer.concat(SPOILERS[spoil](channel, packets))
  const { lossEvery } = faultInjector
  const left = packets.filter(packet => sequenceOf(packet) % lossEvery !== lossEvery - 1)
  return Buffer.concat(left.map(packet => interleave(channel, packet)))
}

const UNKNOWN_KIND = 0x7E
const UNKNOWN_BYTES = 300
const AGGREGATE = 0x78
const LIE = Buffer.from([0xFF, 0xF0])
/** Bytes of each unit that go into an aggregation packet. */
const AGGREGATED_BYTES = 200

const noise = (unit: Buffer): Buffer => Buffer.concat([unit.subarray(0, 1), randomBytes(unit.length - 1)])

/** The NAL units of one picture, with the active faults applied. */
export function spoilUnits (units: readonly Buffer[], faultInjector: CameraFaultInjector): readonly Buffer[] {
  if (faultInjector.garbageUnits) return [...units.map(noise), noise(Buffer.alloc(UNKNOWN_BYTES, UNKNOWN_KIND))]
  if (!faultInjector.lyingAggregates) return units
  const parts = units.flatMap(unit => [LIE, unit.subarray(0, AGGREGATED_BYTES)])
  return [Buffer.concat([Buffer.from([AGGREGATE]), ...parts])]
}

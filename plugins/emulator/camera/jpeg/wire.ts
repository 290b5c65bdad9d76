import { frame, frameHeader } from '../../../printer-servers/index.js'
import type { Spoil } from '../camera-fault-injector.js'

const HEADER_BYTES = 16
/** More than any camera sends; readers that keep a limit stop here. */
const OVERSIZED_BYTES = 12_000_000
const ZEROS_BYTES = 65_536
const LIE_BYTES = 1000

const SPOILERS: Readonly<Record<Spoil, (jpeg: Buffer) => Buffer[]>> = {
  header: jpeg => [Buffer.alloc(HEADER_BYTES, 0xA5), jpeg],
  'short-length': jpeg => [frameHeader(jpeg.length - LIE_BYTES), jpeg],
  'long-length': jpeg => [frameHeader(jpeg.length + LIE_BYTES), jpeg],
  'not-jpeg': jpeg => frame(Buffer.alloc(jpeg.length, 'this is no picture ')),
  truncated: jpeg => frame(jpeg.subarray(0, Math.floor(jpeg.length * 2 / 3))),
  oversized: jpeg => frame(Buffer.concat([jpeg, Buffer.alloc(OVERSIZED_BYTES - jpeg.length)])),
  zeros: () => [Buffer.alloc(ZEROS_BYTES)]
}

/** What a camera sends that has gone wrong in the given way. */
export const spoiled = (jpeg: Buffer, spoil: Spoil): Buffer[] => SPOILERS[spoil](jpeg)

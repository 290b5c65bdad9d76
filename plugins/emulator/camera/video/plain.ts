import { createBitWriter, writeUnit } from './bits.js'
import { MACROBLOCK, toMacroblocks } from './macroblocks.js'
import type { Encoder, EncoderEvents, ParameterSets } from './types.js'

const UNIT = { IDR: 0x65, SPS: 0x67, PPS: 0x68 }
const BASELINE = 66
const CONSTRAINED = 0xC0
/** Level 4, which allows uncompressed pictures. */
const LEVEL = 40
const SLICE_I_ONLY = 7
const PLAIN_BLOCK = 25

/** Sequence and picture parameters (ITU-T H.264, 7.3.2.1 and 7.3.2.2). */
export function parameterSets (width: number, height: number): ParameterSets {
  const columns = Math.ceil(width / MACROBLOCK)
  const rows = Math.ceil(height / MACROBLOCK)
  const sps = createBitWriter()
    .bits(8, BASELINE).bits(8, CONSTRAINED).bits(8, LEVEL)
    // id, frame numbers of four bits, output order = decoding order, one reference, no gaps
    .ue(0).ue(0).ue(2).ue(1).bits(1, 0)
    .ue(columns - 1).ue(rows - 1)
    // frames only, 8x8 inference, then cropping: left, right, top, bottom in pairs of pixels
    .bits(1, 1).bits(1, 1).bits(1, 1)
    .ue(0).ue((columns * MACROBLOCK - width) / 2).ue(0).ue((rows * MACROBLOCK - height) / 2)
    .bits(1, 0).trailing()
  const pps = createBitWriter()
    // ids, CAVLC, no field order, one slice group, one reference each way, no weighting
    .ue(0).ue(0).bits(1, 0).bits(1, 0).ue(0).ue(0).ue(0).bits(1, 0).bits(2, 0)
    // three quantiser offsets, deblocking control per slice, no constrained intra, no redundancy
    .se(0).se(0).se(0).bits(1, 1).bits(1, 0).bits(1, 0).trailing()
  return { sps: writeUnit(UNIT.SPS, sps.bytes()), pps: writeUnit(UNIT.PPS, pps.bytes()) }
}

/** Header of a slice with a whole picture, and the type of its first block (7.3.3, 7.3.5). */
const sliceHead = (number: number): Buffer => createBitWriter()
  .ue(0).ue(SLICE_I_ONLY).ue(0).bits(4, 0).ue(number % 2)
  // no dropped or long-term references, default quantiser, no deblocking
  .bits(1, 0).bits(1, 0).se(0).ue(1)
  .ue(PLAIN_BLOCK).align().bytes()

const END = Buffer.from([0x80])

/**
 * H.264 without compression (I_PCM blocks). Large, but every decoder accepts it, and it needs no other program.
 */
export function createPlainEncoder (width: number, height: number, events: EncoderEvents): Encoder {
  let count = 0
  return {
    width,
    height,
    encode (raw) {
      if (count === 0) events.parameters(parameterSets(width, height))
      const slice = Buffer.concat([sliceHead(count), toMacroblocks(raw, width, height), END])
      count++
      events.picture({ units: [writeUnit(UNIT.IDR, slice)], isKey: true })
    },
    async close () {}
  }
}

import { createBitReader, createBitWriter, writeUnit } from './bits.js'
import { counterBlocks, counterWidth } from './counter.js'
import { MACROBLOCK } from './macroblocks.js'
import type { Picture } from './types.js'

/** Makes the pictures between key pictures: each repeats the previous one, only a counter moves. */
export interface Predictor {
  /**
   * @param sinceKey pictures since the last key picture, 1 for the first
   * @param number value of the counter
   */
  picture (sinceKey: number, number: number): Picture
}

const REFERENCE_SLICE = 0x41
const SLICE_P_ONLY = 5
/** Type of an I_PCM block in a predicted slice. */
const PLAIN_BLOCK = 30
/** Header byte, profile, its constraints and the level. */
const SPS_HEAD_BYTES = 4
const ORDER_OF_DECODING = 2

/** Bits of frame numbers in the sequence parameters; undefined if the output order is coded separately. */
export function frameNumberBits (sps: Buffer): number | undefined {
  const reader = createBitReader(sps.subarray(SPS_HEAD_BYTES))
  reader.ue()
  const bits = reader.ue() + 4
  return reader.ue() === ORDER_OF_DECODING ? bits : undefined
}

/** Between two I_PCM blocks: no skipped blocks, and the type of the second one. */
const BETWEEN = createBitWriter().ue(0).ue(PLAIN_BLOCK).align().bytes()

/** For baseline profile: one slice per picture, no CABAC, no weights, deblocking control per slice. */
export function createPredictor (width: number, height: number, frameBits: number): Predictor {
  const columns = Math.ceil(width / MACROBLOCK)
  const blocks = columns * Math.ceil(height / MACROBLOCK)
  const digits = counterWidth(columns)
  const before = columns - digits
  const tail = createBitWriter().ue(blocks - before - digits).trailing().bytes()

  /** Header of a slice with a whole picture, and the skip to the first changed block (7.3.3, 7.3.4). */
  const writeHead = (frame: number): Buffer => createBitWriter()
    .ue(0).ue(SLICE_P_ONLY).ue(0).bits(frameBits, frame)
    // one reference, the last picture, neither long-term nor dropped; default quantiser; no deblocking
    .bits(1, 1).ue(0).bits(1, 0).bits(1, 0).se(0).ue(1)
    .ue(before).ue(PLAIN_BLOCK).align().bytes()

  const heads: Buffer[] = []
  const head = (frame: number): Buffer => {
    const known = heads[frame] ?? writeHead(frame)
    heads[frame] = known
    return known
  }

  return {
    picture (sinceKey, number) {
      const samples = counterBlocks(number, digits).flatMap((block, at) => at === 0 ? [block] : [BETWEEN, block])
      const slice = Buffer.concat([head(sinceKey % 2 ** frameBits), ...samples, tail])
      return { units: [writeUnit(REFERENCE_SLICE, slice)], isKey: false }
    }
  }
}

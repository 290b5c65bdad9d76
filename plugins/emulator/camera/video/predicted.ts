import { createBitReader, createBitWriter, writeUnit } from './bits.js'
import { counterBlocks, counterWidth } from './counter.js'
import { MACROBLOCK } from './macroblocks.js'
import type { Picture } from './types.js'

/** Makes the pictures between two that can be decoded alone: each repeats the one before, only a counter moves. */
export interface Predictor {
  /**
   * @param sinceKey pictures since the last one that can be decoded alone, 1 for the first
   * @param number what the counter shows
   */
  picture (sinceKey: number, number: number): Picture
}

const REFERENCE_SLICE = 0x41
const SLICE_P_ONLY = 5
/** A block that carries its samples as they are, among others that are predicted. */
const PLAIN_BLOCK = 30
/** First byte, profile, its constraints and the level. */
const SPS_HEAD_BYTES = 4
const ORDER_OF_DECODING = 2

/** Bits of frame numbers, as the sequence parameters have it. Undefined when the order of output is told apart. */
export function frameNumberBits (sps: Buffer): number | undefined {
  const reader = createBitReader(sps.subarray(SPS_HEAD_BYTES))
  reader.ue()
  const bits = reader.ue() + 4
  return reader.ue() === ORDER_OF_DECODING ? bits : undefined
}

/** What stands between two plain blocks: nothing is skipped, and the second one's kind. */
const BETWEEN = createBitWriter().ue(0).ue(PLAIN_BLOCK).align().bytes()

/** For pictures of baseline profile, one slice each, without CABAC and weights, and with a filter that slices set. */
export function createPredictor (width: number, height: number, frameBits: number): Predictor {
  const columns = Math.ceil(width / MACROBLOCK)
  const blocks = columns * Math.ceil(height / MACROBLOCK)
  const digits = counterWidth(columns)
  const before = columns - digits
  const tail = createBitWriter().ue(blocks - before - digits).trailing().bytes()

  /** Header of a slice that holds a whole picture, and the way to the first block that changes (7.3.3, 7.3.4). */
  const writeHead = (frame: number): Buffer => createBitWriter()
    .ue(0).ue(SLICE_P_ONLY).ue(0).bits(frameBits, frame)
    // one reference, the last picture; it is neither kept long nor dropped; quantiser as it is; no deblocking
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

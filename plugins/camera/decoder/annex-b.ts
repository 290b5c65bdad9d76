import type { AccessUnit } from '../video/types.js'

const START_CODE = Buffer.from([0, 0, 0, 1])
/** An access unit delimiter: it tells the reader that the previous picture is complete. */
const DELIMITER = Buffer.from([0, 0, 0, 1, 0x09, 0xF0])

/** A picture as decoders read it from a stream (H.264, annex B); a key picture carries its parameter sets. */
export const annexB = ({ key, nalus, format }: AccessUnit): Buffer => Buffer.concat([
  ...(key ? [format.sps, ...format.pps] : []).flatMap(unit => [START_CODE, unit]),
  ...nalus.flatMap(unit => [START_CODE, unit]),
  DELIMITER
])

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parameterSets, createPlainEncoder } from '../../../../plugins/emulator/camera/video/plain.js'
import { readSps } from '../../../../plugins/camera/video/sps.js'
import type { AccessUnit, VideoFormat } from '../../../../plugins/camera/video/types.js'

function formatOf (sps: Buffer, pps: readonly Buffer[]): VideoFormat {
  const read = readSps(sps)
  if (read === undefined) throw new Error('the parameters cannot be read')
  return { ...read, sps, pps }
}

/** Key pictures of one shade each, 0 to 255, which any decoder takes and no other program is needed for. */
export function plainUnits (width: number, height: number, shades: readonly number[]): AccessUnit[] {
  const { sps, pps } = parameterSets(width, height)
  const format = formatOf(sps, [pps])
  const units: AccessUnit[] = []
  const encoder = createPlainEncoder(width, height, {
    parameters () {},
    picture ({ units: nalus }) {
      const seq = units.length + 1
      units.push({ seq, key: true, nalus, format, time: seq * 3_000, at: seq * 33 })
    },
    failed () {}
  })
  for (const shade of shades) encoder.encode(Buffer.alloc(width * height * 3, shade))
  return units
}

const UNIT_TYPE = { slice: 1, key: 5, sps: 7, pps: 8, delimiter: 9 }

/** Units of a stream with start codes. */
function split (stream: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = stream.indexOf('000001', 0, 'hex'); at >= 0; at = stream.indexOf('000001', at + 3, 'hex')) starts.push(at + 3)
  return starts.map((start, index) => {
    const next = starts[index + 1]
    let end = next === undefined ? stream.length : next - 3
    while (stream[end - 1] === 0) end--
    return stream.subarray(start, end)
  })
}

export interface ClipOptions {
  readonly size?: string
  readonly fps?: number
  readonly seconds?: number
  /** Pictures from one key picture to the next. */
  readonly group?: number
  readonly bitrate?: string
}

/** Some seconds of moving video by the real ffmpeg, as access units. */
export async function clip (options: ClipOptions = {}): Promise<AccessUnit[]> {
  const { size = '320x240', fps = 30, seconds = 2, group = 30, bitrate = '500k' } = options
  const { stdout } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}`,
    '-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1', '-b:v', bitrate,
    '-g', String(group), '-keyint_min', String(group), '-sc_threshold', '0', '-x264-params', 'aud=1:slices=1',
    '-pix_fmt', 'yuv420p', '-f', 'h264', 'pipe:1'], { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 })
  const nalus = split(stdout)
  const of = (type: number) => nalus.filter(nalu => ((nalu[0] ?? 0) & 31) === type)
  const format = formatOf(of(UNIT_TYPE.sps)[0] ?? Buffer.alloc(0), of(UNIT_TYPE.pps).slice(0, 1))
  return nalus.filter(nalu => [UNIT_TYPE.slice, UNIT_TYPE.key].includes((nalu[0] ?? 0) & 31)).map((nalu, at) => ({
    seq: at + 1,
    key: ((nalu[0] ?? 0) & 31) === UNIT_TYPE.key,
    nalus: [nalu],
    format,
    time: at * 90_000 / fps,
    at: at * 1_000 / fps
  }))
}

import type { AccessUnit, Frame, VideoFormat } from '../camera/index.js'

/** One picture of a camera, as a video frame or a JPEG. */
export type Shot = VideoShot | PictureShot

interface AnyShot {
  /** When it was received, ms since the epoch. */
  readonly at: number
  readonly bytes: number
  /** A key frame: can be decoded without those before it. */
  readonly key: boolean
}
export interface VideoShot extends AnyShot { readonly unit: AccessUnit }
export interface PictureShot extends AnyShot { readonly jpeg: Buffer }

export const isVideo = (shot: Shot): shot is VideoShot => 'unit' in shot

export const shotOfUnit = (unit: AccessUnit): VideoShot => ({
  at: unit.at,
  key: unit.key,
  bytes: unit.nalus.reduce((sum, { length }) => sum + length, 0),
  unit
})

export const shotOfFrame = ({ jpeg, capturedAt }: Frame): PictureShot =>
  ({ at: capturedAt, key: true, bytes: jpeg.length, jpeg })

/** Compares by value, since each connection creates new objects. */
const isSame = (a: VideoFormat, b: VideoFormat): boolean => a === b ||
  (a.sps.equals(b.sps) && a.pps.length === b.pps.length && a.pps.every((set, at) => b.pps[at]?.equals(set)))

/** Whether both can be in the same video. */
export const fitTogether = (a: Shot, b: Shot): boolean =>
  isVideo(a) ? isVideo(b) && isSame(a.unit.format, b.unit.format) : !isVideo(b)

export interface ShotRingOptions {
  readonly spanMs: number
  /** @default 24 MiB */
  readonly mostBytes?: number
  /** For a camera that sends JPEGs. @default 150 */
  readonly mostPictures?: number
  /** For a camera that sends video, whose smallest pictures take more memory than they count bytes. @default 4,000 */
  readonly mostShots?: number
}

/** The last pictures of a camera, starting with a key frame. */
export interface ShotRing {
  push (shot: Shot): void
  /** Total size. */
  readonly bytes: number
  /** Makes room, except for what is needed to decode the newest picture. @returns whether anything was dropped */
  dropOldest (): boolean
  /** Drops what is too old. */
  prune (now: number): void
  /** The pictures of the span before now, preceded by what is needed to decode them. */
  since (now: number): readonly Shot[]
  clear (): void
}

const MIB = 1024 * 1024

export function createShotRing (options: ShotRingOptions): ShotRing {
  const { spanMs, mostBytes = 24 * MIB, mostPictures = 150, mostShots = 4_000 } = options
  /** Each begins with a key frame. */
  let groups: Shot[][] = []
  let bytes = 0
  let count = 0

  function clear (): void {
    groups = []
    bytes = 0
    count = 0
  }

  function dropFirst (): void {
    const dropped = groups.shift() ?? []
    count -= dropped.length
    for (const shot of dropped) bytes -= shot.bytes
  }

  function prune (now: number): void {
    const since = now - spanMs
    const last = groups.at(-1)?.at(-1)
    if (last === undefined || last.at < since) return clear()
    while ((groups[1]?.[0]?.at ?? Infinity) <= since) dropFirst()
  }

  return {
    push (shot) {
      const last = groups.at(-1)?.at(-1)
      if (last !== undefined && !fitTogether(last, shot)) clear()
      if (shot.key) groups.push([shot])
      else if (groups.length === 0) return
      else groups.at(-1)?.push(shot)
      bytes += shot.bytes
      count++
      prune(shot.at)
      const most = isVideo(shot) ? mostShots : mostPictures
      while (bytes > mostBytes || count > most) dropFirst()
    },
    prune,
    get bytes () { return bytes },
    dropOldest () {
      if (groups.length < 2) return false
      dropFirst()
      return true
    },
    since (now) {
      prune(now)
      return groups.flat()
    },
    clear
  }
}

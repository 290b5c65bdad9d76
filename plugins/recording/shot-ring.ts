import type { AccessUnit, Frame, VideoFormat } from '../camera/index.js'

/** One picture of a camera, coded as video or as a JPEG. */
export type Shot = VideoShot | PictureShot

interface AnyShot {
  /** When it came, ms since the epoch. */
  readonly at: number
  readonly bytes: number
  /** It can be shown without those before it. */
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

/** A camera that is connected to anew says the same in other objects. */
const isSame = (a: VideoFormat, b: VideoFormat): boolean => a === b ||
  (a.sps.equals(b.sps) && a.pps.length === b.pps.length && a.pps.every((set, at) => b.pps[at]?.equals(set)))

/** Whether one video can hold both. */
export const fitTogether = (a: Shot, b: Shot): boolean =>
  isVideo(a) ? isVideo(b) && isSame(a.unit.format, b.unit.format) : !isVideo(b)

export interface ShotRingOptions {
  readonly spanMs: number
  /** @default 24 MiB */
  readonly mostBytes?: number
  /** Of a camera that sends pictures. @default 150 */
  readonly mostPictures?: number
}

/** The last pictures of a camera, from a key picture on. */
export interface ShotRing {
  push (shot: Shot): void
  /** Of all that is held. */
  readonly bytes: number
  /** Makes room for others; what is needed to show the newest picture stays. @returns whether something went */
  dropOldest (): boolean
  /** Drops what is too old. */
  prune (now: number): void
  /** What came in the span before now, and so much before it that all can be shown. */
  since (now: number): readonly Shot[]
  clear (): void
}

const MIB = 1024 * 1024

export function createShotRing ({ spanMs, mostBytes = 24 * MIB, mostPictures = 150 }: ShotRingOptions): ShotRing {
  /** Each begins with a key picture. */
  let groups: Shot[][] = []
  let bytes = 0

  function clear (): void {
    groups = []
    bytes = 0
  }

  function dropFirst (): void {
    for (const shot of groups.shift() ?? []) bytes -= shot.bytes
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
      prune(shot.at)
      while (bytes > mostBytes || (!isVideo(shot) && groups.length > mostPictures)) dropFirst()
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
